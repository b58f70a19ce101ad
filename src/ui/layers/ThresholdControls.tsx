import { NumberField } from "../controls/NumberField.tsx";
import { FieldSelect } from "./FieldSelect.tsx";
import { LogAxisButton } from "./LogAxisButton.tsx";
import styles from "./NamedSlider.module.css";
import { useAxis } from "./use-axis.ts";
import type { LayerEdits, ShapeOf } from "./use-layer.ts";
import { ValueLines } from "./ValueLines.tsx";

interface Props {
  readonly shape: ShapeOf<"threshold">;
  readonly edits: LayerEdits;
  readonly onField: (field: string) => void;
}

/** Controls for the field, and for the two ends of the kept range as lines over its histogram. */
export function ThresholdControls({ shape, edits, onField }: Props) {
  const { range } = shape;
  const { field: statistics } = edits.facts;
  const { axis, histogram } = useAxis(shape.field, edits.facts);
  const put = (index: number, value: number, gesture?: number): void => {
    const [low, high] = range;
    // The dragged line stops at the other one.
    const changed =
      index === 0 ? ([Math.min(value, high), high] as const) : ([low, Math.max(value, low)] as const);
    edits.changeShape("threshold range", { range: changed }, gesture);
  };
  return (
    <>
      <FieldSelect label="Threshold field" value={shape.field} onChange={onField} />
      <div className={styles.slider}>
        <div className={styles.head}>
          <span className={styles.name}>Kept</span>
          {(["Lowest value", "Highest value"] as const).map((label, index) => (
            <NumberField
              key={label}
              className={styles.short}
              aria-label={label}
              value={range[index]}
              range={statistics}
              onCommit={(value) => put(index, value)}
            />
          ))}
        </div>
        <ValueLines
          lines={[
            { label: "Lowest value kept", value: range[0] },
            { label: "Highest value kept", value: range[1] },
          ]}
          range={statistics}
          axis={axis}
          caption={<LogAxisButton field={shape.field} statistics={statistics} />}
          histogram={histogram}
          hasPlot
          isBand
          onMove={put}
        />
      </div>
    </>
  );
}
