import type { Bounds } from "../../core/grid.ts";
import type { Implicit, Layer, Plane } from "../../core/layers.ts";
import { projectPoint, type ViewSize } from "../../core/projection.ts";
import { useBounds } from "../layers/use-bounds.ts";
import { useLayer } from "../layers/use-layer.ts";
import { draggedPlane, draggedPoint, normalTip, type Sight, turnedPlane } from "../layers/view-drag.ts";
import { useApp } from "../session-context.tsx";
import { selectedLayer } from "../store/layers/state.ts";
import { Handle } from "./Handle.tsx";
import styles from "./ShapeHandles.module.css";

/** Handles in the view for the plane or the sphere of the selected layer. */
export default function ShapeHandles({ size }: { size: ViewSize }) {
  const layer = useApp(({ layers }) => selectedLayer(layers));
  const camera = useApp(({ camera }) => camera);
  const bounds = useBounds();
  if (!layer?.isVisible || !camera || size.width === 0) return null;
  return <LayerHandles layer={layer} sight={{ bounds, camera, size }} />;
}

interface Props {
  readonly layer: Layer;
  readonly sight: Sight;
}

function LayerHandles({ layer: { id, shape, clip }, sight }: Props) {
  const edits = useLayer(id);
  const by = shape.kind === "cut" ? shape.by : undefined;
  return (
    <div className={styles.handles}>
      {by?.kind === "plane" && (
        <PlaneHandles
          name="Plane"
          plane={by.plane}
          sight={sight}
          onChange={(plane, gesture) =>
            edits.changeShape("drag plane", { by: { kind: "plane", plane } }, gesture)
          }
        />
      )}
      {by?.kind === "sphere" && (
        <SphereHandles
          sphere={by}
          sight={sight}
          onChange={(sphere, gesture) => edits.changeShape("drag sphere", { by: sphere }, gesture)}
        />
      )}
      {clip && (
        <PlaneHandles
          name="Clip"
          plane={clip}
          sight={sight}
          onChange={(plane, gesture) => edits.change("drag clip", { clip: plane }, gesture)}
        />
      )}
    </div>
  );
}

interface PlaneProps {
  readonly name: string;
  readonly plane: Plane;
  readonly sight: Sight;
  readonly onChange: (plane: Plane, gesture: number | undefined) => void;
}

function PlaneHandles({ name, plane, sight, onChange }: PlaneProps) {
  const { bounds, camera, size } = sight;
  const start = projectPoint(plane.origin, bounds, camera, size);
  const end = projectPoint(normalTip(plane, bounds), bounds, camera, size);
  if (!start || !end) return null;
  return (
    <>
      <svg className={styles.lines} aria-hidden="true">
        <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
      </svg>
      <Handle
        label={`${name}: drag it along its normal`}
        at={start}
        kind="move"
        onDrag={(motion, gesture) => onChange(draggedPlane(plane, motion, sight), gesture)}
      />
      <Handle
        label={`${name}: turn its normal`}
        at={end}
        kind="turn"
        onDrag={(motion, gesture) => onChange(turnedPlane(plane, motion, sight), gesture)}
      />
    </>
  );
}

type Sphere = Extract<Implicit, { readonly kind: "sphere" }>;

interface SphereProps {
  readonly sphere: Sphere;
  readonly sight: Sight;
  readonly onChange: (sphere: Sphere, gesture: number | undefined) => void;
}

function SphereHandles({ sphere, sight, onChange }: SphereProps) {
  const { bounds, camera, size } = sight;
  const center = projectPoint(sphere.center, bounds, camera, size);
  if (!center) return null;
  const radius = sphere.radius * center.pixelsPerUnit;
  return (
    <>
      <svg className={styles.lines} aria-hidden="true">
        <circle cx={center.x} cy={center.y} r={radius} />
      </svg>
      <Handle
        label="Sphere: drag its centre"
        at={center}
        kind="move"
        onDrag={(motion, gesture) =>
          onChange({ ...sphere, center: draggedPoint(sphere.center, motion, sight) }, gesture)
        }
      />
      <Handle
        label="Sphere: change its radius"
        at={{ ...center, x: center.x + radius }}
        kind="turn"
        onDrag={({ dx }, gesture) =>
          onChange(
            { ...sphere, radius: Math.max(smallest(bounds), sphere.radius + dx / center.pixelsPerUnit) },
            gesture,
          )
        }
      />
    </>
  );
}

const smallest = ([x0, x1, y0, y1, z0, z1]: Bounds): number =>
  1e-4 * (Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1);
