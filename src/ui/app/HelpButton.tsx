import { useDisclosure } from "@mantine/hooks";
import { IconButton } from "../controls/IconButton.tsx";
import { Late, latePart } from "../controls/Late.tsx";

const help = latePart("The help", () => import("./HelpDialog.tsx"));

/** Opens the help, whose code comes when it is first opened. */
export function HelpButton() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <IconButton label="Help" icon="help" onClick={open} />
      <Late part={help} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: HelpDialog }) => <HelpDialog opened={opened} onClose={close} />}
      </Late>
    </>
  );
}
