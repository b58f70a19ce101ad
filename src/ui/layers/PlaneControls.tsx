import type { Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { AxisButtons } from "./AxisButtons.tsx";
import styles from "./LayerControls.module.css";
import { NamedSlider } from "./NamedSlider.tsx";
import { along, atOffset, axisOf, normalized, planeOffset } from "./plane-math.ts";
import { TripleFields } from "./TripleFields.tsx";
import { useBounds } from "./use-bounds.ts";

interface Props {
  /** The plane's role, as label: "Plane" or "Clip". */
  readonly name: string;
  readonly plane: Plane;
  readonly onChange: (action: string, plane: Plane, gesture?: number) => void;
}

/** Controls for a plane's axis, offset, origin and normal. */
export default function PlaneControls({ name, plane, onChange }: Props) {
  const bounds = useBounds();
  const { origin, normal } = plane;
  const { value, min, max } = planeOffset(plane, bounds);
  const word = name.toLowerCase();
  return (
    <>
      <div className={styles.row}>
        <span className={styles.name}>{name} across</span>
        <IconButton
          label={`Flip the ${word}`}
          icon="flip"
          size={26}
          onClick={() => onChange(`flip ${word}`, { origin, normal: along([0, 0, 0], -1, normal) })}
        />
        <AxisButtons
          label={`${name} axis`}
          value={axisOf(normal)}
          onChange={(axis) => onChange(`${word} axis`, { origin, normal: axes[axis] })}
        />
      </div>
      <NamedSlider
        name={`${name} offset`}
        value={value}
        range={{ min, max }}
        onMove={(offset, gesture) => onChange(`${word} offset`, atOffset(plane, bounds, offset), gesture)}
      />
      <TripleFields
        legend={`${name} origin`}
        value={origin}
        bounds={bounds}
        onCommit={(latest) => onChange(`${word} origin`, { origin: latest, normal })}
      />
      <TripleFields
        legend={`${name} normal`}
        value={normal}
        onCommit={(latest) =>
          onChange(`${word} normal`, { origin, normal: isZero(latest) ? normal : latest })
        }
      />
    </>
  );
}

const axes: readonly Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const isZero = (normal: Triple): boolean =>
  !(Math.hypot(...normal) > 0) || !normalized(normal).every(Number.isFinite);
