import { useDisclosure } from "@mantine/hooks";
import { IconButton } from "../controls/IconButton.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";

const help = lazyPart("The help", () => import("./HelpDialog.tsx"));

/** Opens the help, whose code is loaded when it is first opened. */
export function HelpButton() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <IconButton label="Help" icon="help" onClick={open} />
      <LazyBoundary part={help} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: HelpDialog }) => <HelpDialog opened={opened} onClose={close} />}
      </LazyBoundary>
    </>
  );
}
