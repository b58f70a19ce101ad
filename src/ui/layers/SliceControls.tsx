import { axisRange } from "../../core/grid.ts";
import { AxisButtons } from "./AxisButtons.tsx";
import styles from "./LayerControls.module.css";
import { NamedSlider } from "./NamedSlider.tsx";
import { useBounds } from "./use-bounds.ts";
import type { LayerEdits, ShapeOf } from "./use-layer.ts";

interface Props {
  readonly shape: ShapeOf<"slice">;
  readonly edits: LayerEdits;
}

/** Controls for a slice's axis and its position on it. */
export function SliceControls({ shape: { axis, position }, edits }: Props) {
  const bounds = useBounds();
  const range = axisRange(bounds, axis);
  return (
    <>
      <div className={styles.row}>
        <span className={styles.name}>Across</span>
        <AxisButtons
          label="Slice axis"
          value={axis}
          onChange={(latest) =>
            edits.changeShape("slice axis", {
              axis: latest,
              position: 0.5 * (bounds[2 * latest] + bounds[2 * latest + 1]),
            })
          }
        />
      </div>
      <NamedSlider
        name="Position"
        value={position}
        range={range}
        onMove={(value, gesture) => edits.changeShape("slice position", { position: value }, gesture)}
      />
    </>
  );
}
