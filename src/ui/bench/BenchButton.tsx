import { useHash } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { IconButton } from "../controls/IconButton.tsx";

const BenchPage = lazy(() => import("./BenchPage.tsx"));

const hash = "#bench";

/** Opens the bench, which has an address of its own and whose code comes when it is first opened. */
export function BenchButton() {
  const [current, setHash] = useHash({ getInitialValueInEffect: false });
  const opened = current === hash;
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return (
    <>
      <IconButton label="Bench" icon="gauge" onClick={() => setHash(hash)} />
      {wasOpened && (
        <Suspense>
          <BenchPage opened={opened} onClose={() => setHash("")} />
        </Suspense>
      )}
    </>
  );
}
