import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../controls/IconButton.tsx";

const Inspector = lazy(() => import("./Inspector.tsx"));

/** Opens what tells how the expression runs, whose code comes when it is first opened. */
export function InspectButton() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <IconButton
        label="Inspect how it runs"
        icon="network"
        size={30}
        onClick={() => {
          setWasOpened(true);
          open();
        }}
      />
      {wasOpened && (
        <Suspense>
          <Inspector opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
