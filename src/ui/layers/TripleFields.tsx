import type { Triple } from "../../core/grid.ts";
import { NumberField } from "../controls/NumberField.tsx";
import styles from "./LayerControls.module.css";

interface Props {
  readonly legend: string;
  readonly value: Triple;
  readonly onCommit: (value: Triple) => void;
}

/** Three numbers along x, y and z. */
export function TripleFields({ legend, value, onCommit }: Props) {
  const put = (at: number, number: number): void => {
    const [x, y, z] = value.map((former, i) => (i === at ? number : former));
    onCommit([x, y, z]);
  };
  return (
    <fieldset className={styles.triple}>
      <legend>{legend}</legend>
      {(["x", "y", "z"] as const).map((axis, i) => (
        <NumberField
          key={axis}
          aria-label={`${legend} ${axis}`}
          leftSection={<span className={styles.axis}>{axis}</span>}
          leftSectionWidth={22}
          value={Number(value[i].toPrecision(5))}
          onCommit={(number) => put(i, number)}
        />
      ))}
    </fieldset>
  );
}
