import { useHash } from "@mantine/hooks";
import { IconButton } from "../controls/IconButton.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";

const bench = lazyPart("The bench", () => import("./BenchPage.tsx"));

const hash = "#bench";

/** Opens the bench, which has its own address and whose code is loaded when it is first opened. */
export function BenchButton() {
  const [current, setHash] = useHash({ getInitialValueInEffect: false });
  const opened = current === hash;
  const close = (): void => setHash("");
  return (
    <>
      <IconButton label="Bench" icon="gauge" onClick={() => setHash(hash)} />
      <LazyBoundary part={bench} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: BenchPage }) => <BenchPage opened={opened} onClose={close} />}
      </LazyBoundary>
    </>
  );
}
