import { NativeSelect } from "@mantine/core";
import type { LayerPaint } from "../../core/layers.ts";
import type { ScaleKind } from "../../core/scale.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { NumberField } from "../controls/NumberField.tsx";
import { Segments } from "../controls/Segments.tsx";
import { Toggle } from "../controls/Toggle.tsx";
import { useApp } from "../session-context.tsx";
import { finiteRange } from "../store/defaults.ts";
import styles from "./ColorControls.module.css";
import { ColorMapMenu } from "./ColorMapMenu.tsx";
import swatches from "./Swatch.module.css";
import type { LayerEdits } from "./use-layer.ts";

const rangeMeanings = {
  automatic:
    "The range of all finite values of the colour field; about 0 for diverging colours and both signs",
  surface: "The range of the colour field on the surface, without the outermost 1 % at each end",
  set: "A range that you choose",
};

/** Loaded when a scale is first logarithmic. */
const note = lazyPart("The sentence about the scale", () => import("./scale-note.ts"));

const scales = [
  { value: "linear", label: "Linear" },
  { value: "log", label: "Log" },
  { value: "symlog", label: "Symmetric log" },
] as const satisfies readonly { readonly value: ScaleKind; readonly label: string }[];

interface Props {
  readonly id: string;
  readonly paint: LayerPaint;
  readonly edits: LayerEdits;
}

/** Controls for mapping the colour field's values to colours. */
export function ColorControls({ id, paint, edits }: Props) {
  const { reversed, range, nanColor } = paint;
  const statistics = edits.facts.color;
  const bar = useApp(({ scalarBars }) => scalarBars.find((bar) => bar.id === id)?.bar);
  const setRange = (latest: LayerPaint["range"]) => edits.changePaint("colour range", { range: latest });
  const isSet = range !== undefined && range !== "surface";
  const { min, max } = bar ?? statistics ?? {};
  const shown = finiteRange(min, max);
  const [low, high] = isSet ? range : shown;
  const scale = paint.scale ?? "linear";
  return (
    <div className={styles.controls}>
      <ColorMapMenu
        current={paint.map}
        reversed={reversed}
        onChoose={(map) => edits.changePaint("colour map", { map })}
      />
      <div className={styles.row}>
        <Toggle
          label="Reversed"
          checked={reversed}
          onChange={(reversed) => edits.changePaint("reversed colours", { reversed })}
        />
        <label className={styles.nan}>
          NaN colour
          <input
            type="color"
            value={nanColor}
            className={swatches.swatch}
            onChange={({ currentTarget }) =>
              edits.changePaint("NaN colour", { nanColor: currentTarget.value })
            }
          />
        </label>
      </div>
      <div className={styles.range}>
        <NativeSelect
          size="xs"
          label="Colour range"
          value={isSet ? "set" : (range ?? "automatic")}
          title={rangeMeanings[isSet ? "set" : (range ?? "automatic")]}
          onChange={({ currentTarget: { value } }) =>
            setRange(value === "set" ? shown : value === "surface" ? value : undefined)
          }
          data={[
            { value: "automatic", label: "Automatic" },
            { value: "surface", label: "Surface" },
            { value: "set", label: "Set" },
          ]}
        />
        <NumberField
          label="From"
          value={low}
          range={statistics}
          disabled={!isSet}
          onCommit={(value) => setRange(ordered(value, high))}
        />
        <NumberField
          label="To"
          value={high}
          range={statistics}
          disabled={!isSet}
          onCommit={(value) => setRange(ordered(low, value))}
        />
      </div>
      <div>
        <div className={styles.scale}>
          <span>Scale</span>
          <Segments
            label="Colour scale"
            value={scale}
            options={scales}
            onChange={(scale) => edits.changePaint("colour scale", { scale })}
          />
        </div>
        {scale !== "linear" && bar && statistics && (
          <LazyBoundary part={note} wish="shown">
            {({ scaleNote }) => <p className={styles.note}>{scaleNote(scale, bar, statistics)}</p>}
          </LazyBoundary>
        )}
      </div>
    </div>
  );
}

function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}
