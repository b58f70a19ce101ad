import { useState } from "react";
import { maxIsovalues } from "../../core/layers.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { NumberField } from "../controls/NumberField.tsx";
import { FieldSelect } from "./FieldSelect.tsx";
import { addedAlong, addedIsovalue } from "./isovalues.ts";
import { LogAxisButton } from "./LogAxisButton.tsx";
import styles from "./NamedSlider.module.css";
import { useAxis } from "./use-axis.ts";
import type { LayerEdits, ShapeOf } from "./use-layer.ts";
import { ValueLines } from "./ValueLines.tsx";

interface Props {
  readonly shape: ShapeOf<"isosurface">;
  readonly edits: LayerEdits;
  readonly onField: (field: string) => void;
}

/** Controls for the field, and for its isovalues as lines over its histogram. */
export function IsosurfaceControls({ shape, edits, onField }: Props) {
  const { isovalues } = shape;
  const { field: statistics } = edits.facts;
  const { axis, histogram } = useAxis(shape.field, edits.facts);
  const [latest, setChosen] = useState(0);
  const chosen = Math.min(latest, isovalues.length - 1);
  const put = (index: number, value: number, gesture?: number): void => {
    const changed = isovalues.map((former, i) => (i === index ? value : former));
    edits.changeShape("isovalue", { isovalues: changed }, gesture);
  };
  const add = (): void => {
    if (!statistics) return;
    const added = axis ? addedAlong(isovalues, axis) : addedIsovalue(isovalues, statistics);
    edits.changeShape("add isovalue", { isovalues: [...isovalues, added] });
    setChosen(isovalues.length);
  };
  const remove = (): void => {
    edits.changeShape("remove isovalue", { isovalues: isovalues.filter((_, i) => i !== chosen) });
    setChosen(Math.max(0, chosen - 1));
  };
  return (
    <>
      <FieldSelect label="Surface field" value={shape.field} onChange={onField} />
      <div className={styles.slider}>
        <div className={styles.head}>
          <span className={styles.name}>
            {isovalues.length === 1 ? "Isovalue" : `Isovalue ${chosen + 1} of ${isovalues.length}`}
          </span>
          {isovalues.length > 1 && (
            <IconButton label="Remove isovalue" icon="minus" size={24} onClick={remove} />
          )}
          <IconButton
            label="Add isovalue"
            icon="plus"
            size={24}
            disabled={!statistics || isovalues.length >= maxIsovalues}
            onClick={add}
          />
          <NumberField
            className={styles.exact}
            aria-label="Exact value"
            value={isovalues[chosen]}
            range={statistics}
            onCommit={(value) => put(chosen, value)}
          />
        </div>
        <ValueLines
          lines={isovalues.map((value, i) => ({ label: i === 0 ? "Isovalue" : `Isovalue ${i + 1}`, value }))}
          range={statistics}
          axis={axis}
          caption={<LogAxisButton field={shape.field} statistics={statistics} />}
          histogram={histogram}
          hasPlot
          chosen={chosen}
          onChoose={setChosen}
          onMove={put}
        />
      </div>
    </>
  );
}
