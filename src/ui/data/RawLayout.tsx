import { lazy, Suspense, useState } from "react";
import { useApp } from "../session-context.tsx";

const RawDialog = lazy(() => import("./RawDialog.tsx"));

/** The dialog about a raw volume's layout, whose code comes when it is first needed. */
export function RawLayout() {
  const isNeeded = useApp(({ raw }) => raw !== undefined);
  const [wasNeeded, setWasNeeded] = useState(false);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return wasNeeded ? (
    <Suspense>
      <RawDialog />
    </Suspense>
  ) : null;
}
