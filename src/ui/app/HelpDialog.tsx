import { Kbd, Modal } from "@mantine/core";
import styles from "./HelpDialog.module.css";

const steps = [
  "Open a data set: drop a file anywhere, or pick a sample.",
  "Type an expression such as q = q_criterion(velocity); completion knows your fields and every function.",
  "Compute it. Its surface appears at a suitable isovalue; a line shows what the GPU moved and held.",
  "Drag the isovalue over the histogram, colour the surface by another field, choose a colour map.",
  "Add layers: isosurfaces, cuts by planes, spheres and expressions, slices, thresholds. Point at one to read values.",
  "Save the picture, a mesh or a field; save the whole view as a file, or copy it as a link.",
  "Share opens a room, which other tabs, machines and Node processes join as ranks by its link.",
];

const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["Drag"], "Orbit; one finger on a touch screen"],
  [["Shift", "Drag"], "Pan; also the right button or two fingers"],
  [["Wheel"], "Zoom; also pinch"],
  [["←", "→", "↑", "↓"], "Orbit, with the view focused; Shift pans"],
  [["+", "−"], "Zoom"],
  [["R"], "Reset the view"],
  [["X", "Y", "Z"], "View from +x, +y or +z; with Shift from the other side"],
  [["B", "F"], "Back to the previous view, and forward again"],
  [["Ctrl", "Enter"], "Compute the expression; ⌘ on a Mac"],
  [["↑", "↓"], "Choose a strategy in the menu beside Compute; Tab moves on to its memory limit"],
  [["←", "→", "↑", "↓"], "Move from box to box in the network of “Inspect how it runs”"],
  [["Shift", "←"], "A tenth of a step on a slider"],
  [["Click"], "Pick: the triangle, its cell and the values there"],
  [["P"], "A crosshair in the view: arrow keys move it, Enter picks, Escape closes it"],
  [["Ctrl", "K"], "Find a command, a field or a function, also by other programs' words"],
  [["Ctrl", "Z"], "Undo; with Shift, redo. This restores layers and expressions, not the camera"],
  [["Alt", "↑"], "Moves the focused layer up in the list; Delete removes it, F2 renames it"],
];

export default function HelpDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Crinkle in seven steps"
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
        Your data stays on this machine: files are read, processed and drawn in this browser.
      </p>
    </Modal>
  );
}
