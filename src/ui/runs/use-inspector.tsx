import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useState } from "react";

const Inspector = lazy(() => import("./Inspector.tsx"));

/** What tells how the expression runs, whose code comes when it is first opened, and the deed that opens it. */
export function useInspector(): { readonly inspector: ReactNode; readonly inspect: () => void } {
  const [opened, { open, close }] = useDisclosure(false);
  const [wasOpened, setWasOpened] = useState(false);
  return {
    inspector: wasOpened && (
      <Suspense>
        <Inspector opened={opened} onClose={close} />
      </Suspense>
    ),
    inspect() {
      setWasOpened(true);
      open();
    },
  };
}
