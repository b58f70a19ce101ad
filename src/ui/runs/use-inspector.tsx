import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";

const inspection = lazyPart("The inspector", () => import("./Inspector.tsx"));

/** The inspector, whose code is loaded when it is first opened, and the action that opens it. */
export function useInspector(): { readonly inspector: ReactNode; readonly inspect: () => void } {
  const [opened, { open, close }] = useDisclosure(false);
  return {
    inspector: (
      <LazyBoundary part={inspection} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: Inspector }) => <Inspector opened={opened} onClose={close} />}
      </LazyBoundary>
    ),
    inspect: open,
  };
}
