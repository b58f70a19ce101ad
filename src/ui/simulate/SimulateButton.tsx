import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import styles from "../app/SampleMenu.module.css";
import { Icon } from "../controls/icons.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";

const dialog = lazyPart("The choice of a model", () => import("./SimulateDialog.tsx"));

/** Opens the choice of a model, whose code is loaded when it is first opened. */
export function SimulateButton() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" h={32} px={10} onClick={open} aria-label="Simulate">
        <Icon name="lattice" />
        <span className={styles.word}>Simulate</span>
      </Button>
      <LazyBoundary part={dialog} wish={opened ? "open" : undefined} onGiveUp={close}>
        {({ default: SimulateDialog }) => <SimulateDialog opened={opened} onClose={close} />}
      </LazyBoundary>
    </>
  );
}
