import { Switch } from "@mantine/core";
import type { Layer } from "../../core/layers.ts";
import { Notes } from "../controls/Notes.tsx";
import { Segments } from "../controls/Segments.tsx";
import { useSession } from "../session-context.tsx";
import { centerOf } from "../store/layers/new-layer.ts";
import { CutControls } from "./CutControls.tsx";
import { IsosurfaceControls } from "./IsosurfaceControls.tsx";
import styles from "./LayerControls.module.css";
import { NamedSlider } from "./NamedSlider.tsx";
import { PaintControls } from "./PaintControls.tsx";
import { PlaneControls } from "./PlaneControls.tsx";
import { SliceControls } from "./SliceControls.tsx";
import { ThresholdControls } from "./ThresholdControls.tsx";
import { useBounds } from "./use-bounds.ts";
import { type LayerEdits, useLayer } from "./use-layer.ts";

/** All that can be set of one layer. */
export function LayerControls({ layer }: { layer: Layer }) {
  const edits = useLayer(layer.id);
  return (
    <>
      <ShapeControls layer={layer} edits={edits} />
      <PaintControls layer={layer} edits={edits} />
      {layer.shape.kind !== "points" && <ClipControls layer={layer} edits={edits} />}
      <Notes notes={edits.facts.notes} />
    </>
  );
}

interface Props {
  readonly layer: Layer;
  readonly edits: LayerEdits;
}

function ShapeControls({ layer: { id, shape }, edits }: Props) {
  const { layers } = useSession();
  switch (shape.kind) {
    case "isosurface":
      return (
        <IsosurfaceControls
          key={id}
          shape={shape}
          edits={edits}
          onField={(field) => void layers.follow(id, field)}
        />
      );
    case "threshold":
      return (
        <ThresholdControls shape={shape} edits={edits} onField={(field) => void layers.follow(id, field)} />
      );
    case "slice":
      return <SliceControls shape={shape} edits={edits} />;
    case "cut":
      return <CutControls key={id} by={shape.by} edits={edits} />;
    case "points":
      return (
        <NamedSlider
          name="Point size"
          value={shape.size}
          range={{ min: 1, max: 20 }}
          onMove={(size, gesture) => edits.changeShape("point size", { size: Math.max(size, 0.5) }, gesture)}
        />
      );
  }
}

const normalOptions = [
  { value: "smooth", label: "Smooth" },
  { value: "flat", label: "Flat" },
] as const;

/** The half of space that is kept, and how an isosurface is shaded and closed. */
function ClipControls({ layer: { shape, clip }, edits }: Props) {
  const origin = centerOf(useBounds());
  return (
    <>
      {shape.kind === "isosurface" && (
        <div className={styles.row}>
          <span className={styles.name}>Normals</span>
          <Segments
            label="Normals"
            value={shape.normals}
            options={normalOptions}
            onChange={(normals) => edits.changeShape("normals", { normals })}
          />
        </div>
      )}
      {shape.kind === "isosurface" && (
        <Switch
          size="xs"
          label="Exact topology in ambiguous cells"
          title="Cells whose corners allow two surfaces get that of the trilinear interpolant"
          checked={shape.topology === "trilinear"}
          onChange={({ currentTarget }) =>
            edits.changeShape("topology", { topology: currentTarget.checked ? "trilinear" : "table" })
          }
        />
      )}
      <Switch
        size="xs"
        label="Clip by a plane"
        checked={clip !== undefined}
        onChange={({ currentTarget }) =>
          edits.change("clip", { clip: currentTarget.checked ? { origin, normal: [1, 0, 0] } : undefined })
        }
      />
      {clip && (
        <PlaneControls
          name="Clip"
          plane={clip}
          onChange={(deed, latest, gesture) => edits.change(deed, { clip: latest }, gesture)}
        />
      )}
    </>
  );
}
