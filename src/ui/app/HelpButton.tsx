import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../controls/IconButton.tsx";

const HelpDialog = lazy(() => import("./HelpDialog.tsx"));

/** Opens the help, whose code comes when it is first opened. */
export function HelpButton() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  return (
    <>
      <IconButton label="Help" icon="help" onClick={open} />
      {wasOpened && (
        <Suspense>
          <HelpDialog opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
