import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";

const Inspector = lazy(() => import("./Inspector.tsx"));

/** Opens what tells how the expression runs, whose code comes when it is first opened. */
export function InspectButton() {
  const [opened, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        size="xs"
        px={6}
        variant="subtle"
        color="gray"
        c="var(--ink)"
        title="How the expression runs: counters, strategies, network, shaders"
        onClick={() => {
          setWasOpened(true);
          open();
        }}
      >
        Inspect
      </Button>
      {wasOpened && (
        <Suspense>
          <Inspector opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
