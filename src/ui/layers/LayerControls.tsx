import { isSurface, type Layer } from "../../core/layers.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { Notes } from "../controls/Notes.tsx";
import { Segments } from "../controls/Segments.tsx";
import { Toggle } from "../controls/Toggle.tsx";
import { useSession } from "../session-context.tsx";
import { centerOf } from "../store/layers/new-layer.ts";
import { IsosurfaceControls } from "./IsosurfaceControls.tsx";
import styles from "./LayerControls.module.css";
import { PaintControls } from "./PaintControls.tsx";
import { TrilinearTopology } from "./TrilinearTopology.tsx";
import { useBounds } from "./use-bounds.ts";
import { type LayerEdits, useLayer } from "./use-layer.ts";

/** Loaded when a layer of another kind is first selected, and when a layer is first clipped. */
const shapeControls = lazyPart("The layer's controls", () => import("./ShapeControls.tsx"));
const planeControls = lazyPart("The plane's controls", () => import("./PlaneControls.tsx"));

/** All settings of one layer. */
export function LayerControls({ layer }: { layer: Layer }) {
  const { layers } = useSession();
  const { id, shape } = layer;
  const edits = useLayer(id);
  return (
    <>
      {shape.kind === "isosurface" ? (
        <IsosurfaceControls
          key={id}
          shape={shape}
          edits={edits}
          onField={(field) => void layers.follow(id, field)}
        />
      ) : (
        <LazyBoundary part={shapeControls} wish={id}>
          {({ default: ShapeControls }) => <ShapeControls layer={layer} edits={edits} />}
        </LazyBoundary>
      )}
      <PaintControls layer={layer} edits={edits} />
      {isSurface(shape) && <ClipControls layer={layer} edits={edits} />}
      <Notes notes={edits.facts.notes} />
    </>
  );
}

interface Props {
  readonly layer: Layer;
  readonly edits: LayerEdits;
}

const normalOptions = [
  { value: "smooth", label: "Smooth" },
  { value: "flat", label: "Flat" },
] as const;

/** Controls for the clip plane, and for an isosurface's normals and topology. */
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
        <TrilinearTopology
          topology={shape.topology}
          onChange={(topology) => edits.changeShape("topology", { topology })}
        />
      )}
      <Toggle
        label="Clip by a plane"
        checked={clip !== undefined}
        onChange={(isClipped) =>
          edits.change("clip", { clip: isClipped ? { origin, normal: [1, 0, 0] } : undefined })
        }
      />
      {clip && (
        <LazyBoundary part={planeControls} wish="clip">
          {({ default: PlaneControls }) => (
            <PlaneControls
              name="Clip"
              plane={clip}
              onChange={(action, latest, gesture) => edits.change(action, { clip: latest }, gesture)}
            />
          )}
        </LazyBoundary>
      )}
    </>
  );
}
