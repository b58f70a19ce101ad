import type { Layer } from "../../core/layers.ts";
import { useSession } from "../session-context.tsx";
import { ColorControls } from "./ColorControls.tsx";
import { FieldSelect } from "./FieldSelect.tsx";
import styles from "./LayerControls.module.css";
import { NamedSlider } from "./NamedSlider.tsx";
import swatches from "./Swatch.module.css";
import type { LayerEdits } from "./use-layer.ts";

interface Props {
  readonly layer: Layer;
  readonly edits: LayerEdits;
}

const density = [{ value: "density", label: "Local density" }];

/** Controls for a layer's colours and opacity. */
export function PaintControls({ layer: { id, shape, colorBy, paint }, edits }: Props) {
  const { layers } = useSession();
  return (
    <>
      <FieldSelect
        label="Colour by"
        value={colorBy}
        none="None"
        onNone={() => void layers.colorBy(id, undefined)}
        onChange={(field) => void layers.colorBy(id, field)}
        {...(shape.kind === "points" ? { extra: density } : {})}
      />
      {colorBy === undefined ? (
        <label className={styles.row}>
          <span className={styles.name}>Colour</span>
          <input
            type="color"
            className={swatches.swatch}
            value={paint.solid}
            onChange={({ currentTarget }) => edits.changePaint("colour", { solid: currentTarget.value })}
          />
        </label>
      ) : (
        <ColorControls id={id} paint={paint} edits={edits} />
      )}
      <NamedSlider
        name="Opacity"
        value={paint.opacity}
        range={{ min: 0, max: 1 }}
        onMove={(opacity, gesture) =>
          edits.changePaint("opacity", { opacity: Math.min(1, Math.max(0.02, opacity)) }, gesture)
        }
      />
    </>
  );
}
