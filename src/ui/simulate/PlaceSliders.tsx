import type { LatticePlane } from "../../engine/api.ts";
import { NamedSlider } from "../layers/NamedSlider.tsx";
import { useSession } from "../session-context.tsx";
import styles from "./SimulationPanel.module.css";

interface Props {
  readonly size: readonly number[];
  readonly plane: LatticePlane;
}

/** Where the axes are cut that are not shown, of lattices with more than three. */
export function PlaceSliders({ size, plane }: Props) {
  const { lattice } = useSession();
  const cut = size.map((_, axis) => axis).filter((axis) => !plane.axes.includes(axis) && size[axis] > 1);
  if (cut.length === 0) return null;
  const put = (axis: number, value: number): void => {
    const index = Math.min(size[axis] - 1, Math.max(0, Math.round(value)));
    if (index !== plane.at[axis])
      lattice.setPlace(plane.at.map((at, other) => (other === axis ? index : at)));
  };
  return (
    <div className={styles.sliders}>
      {cut.map((axis) => (
        <NamedSlider
          key={axis}
          name={`Axis ${axis} at`}
          value={plane.at[axis]}
          range={{ min: 0, max: size[axis] - 1 }}
          onMove={(value) => put(axis, value)}
        />
      ))}
    </div>
  );
}
