import { digitsWithin } from "../../core/format.ts";
import { axisRange, type Bounds, type Triple } from "../../core/grid.ts";
import { NumberField } from "../controls/NumberField.tsx";
import styles from "./LayerControls.module.css";

interface Props {
  readonly legend: string;
  readonly value: Triple;
  /** The bounds in which the numbers lie, which decide how many digits are shown. */
  readonly bounds?: Bounds;
  readonly onCommit: (value: Triple) => void;
}

/** Inputs for three numbers along x, y and z. */
export function TripleFields({ legend, value, bounds, onCommit }: Props) {
  const put = (at: number, number: number): void => {
    const [x, y, z] = value.map((former, i) => (i === at ? number : former));
    onCommit([x, y, z]);
  };
  return (
    <fieldset className={styles.triple}>
      <legend>{legend}</legend>
      {(["x", "y", "z"] as const).map((axis, i) => {
        const range = bounds && axisRange(bounds, i);
        return (
          <NumberField
            key={axis}
            aria-label={`${legend} ${axis}`}
            leftSection={<span className={styles.axis}>{axis}</span>}
            leftSectionWidth={22}
            value={Number(value[i].toPrecision(range ? digitsWithin(range, 5) : 5))}
            range={range}
            onCommit={(number) => put(i, number)}
          />
        );
      })}
    </fieldset>
  );
}
