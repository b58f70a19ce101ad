import { useHash } from "@mantine/hooks";
import { IconButton } from "../controls/IconButton.tsx";
import { Late, latePart } from "../controls/Late.tsx";

const bench = latePart("The bench", () => import("./BenchPage.tsx"));

const hash = "#bench";

/** Opens the bench, which has an address of its own and whose code comes when it is first opened. */
export function BenchButton() {
  const [current, setHash] = useHash({ getInitialValueInEffect: false });
  const opened = current === hash;
  const close = (): void => setHash("");
  return (
    <>
      <IconButton label="Bench" icon="gauge" onClick={() => setHash(hash)} />
      <Late part={bench} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: BenchPage }) => <BenchPage opened={opened} onClose={close} />}
      </Late>
    </>
  );
}
