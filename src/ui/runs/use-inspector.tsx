import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Late, latePart } from "../controls/Late.tsx";

const inspection = latePart("The inspector", () => import("./Inspector.tsx"));

/** What tells how the expression runs, whose code comes when it is first opened, and the deed that opens it. */
export function useInspector(): { readonly inspector: ReactNode; readonly inspect: () => void } {
  const [opened, { open, close }] = useDisclosure(false);
  return {
    inspector: (
      <Late part={inspection} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: Inspector }) => <Inspector opened={opened} onClose={close} />}
      </Late>
    ),
    inspect: open,
  };
}
