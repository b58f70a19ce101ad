import { Kbd, Modal } from "@mantine/core";
import styles from "./HelpDialog.module.css";

const steps = [
  "Open a data set: drop a file anywhere, or pick a sample.",
  "Type an expression such as q = q_criterion(velocity); completion knows your fields and every function.",
  "Compute it. Its surface appears at an isovalue that shows something; a line tells what the GPU moved and held.",
  "Drag the isovalue, colour the surface by another field, choose a colour map.",
  "Save the picture, the mesh or the field.",
  "Share opens a room: other tabs, machines and Node processes join it as ranks, by its link.",
];

const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["Drag"], "Orbit; one finger on a touch screen"],
  [["Shift", "Drag"], "Pan; also the right button or two fingers"],
  [["Wheel"], "Zoom; also pinch"],
  [["←", "→", "↑", "↓"], "Orbit, with the view focused; Shift pans"],
  [["+", "−"], "Zoom"],
  [["R"], "Reset the view"],
  [["X", "Y", "Z"], "Look along an axis; Shift looks from the other side"],
  [["Ctrl", "Enter"], "Compute the expression; ⌘ on a Mac"],
  [["↑", "↓"], "Another strategy, in the menu beside Compute; Tab leads to its memory limit"],
  [["←", "→", "↑", "↓"], "From box to box, in the network of “Inspect how it runs”"],
  [["Shift", "←"], "A tenth of a step on the isovalue slider"],
];

export function HelpDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Crinkle in six steps"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title }}
    >
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <h3 className={styles.heading}>Keys and gestures</h3>
      <dl className={styles.shortcuts}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        Your data stays on this machine: files are read, computed and drawn in this browser.
      </p>
    </Modal>
  );
}
