import { NumberField } from "../controls/NumberField.tsx";
import styles from "./NamedSlider.module.css";
import { ValueLines } from "./ValueLines.tsx";

interface Props {
  readonly name: string;
  /** More about it, where the pointer rests on the name. */
  readonly hint?: string;
  /** The number field's own name; by default the slider's followed by "as a number". */
  readonly exactName?: string;
  readonly value: number;
  readonly range: { readonly min: number; readonly max: number };
  readonly onMove: (value: number, gesture: number | undefined) => void;
}

/** A slider for one number, with a field for its exact value. */
export function NamedSlider({ name, hint, exactName = `${name} as a number`, value, range, onMove }: Props) {
  return (
    <div className={styles.slider}>
      <div className={styles.head}>
        <span className={styles.name} title={hint}>
          {name}
        </span>
        <NumberField
          className={styles.exact}
          aria-label={exactName}
          value={value}
          range={range}
          onCommit={(exact) => onMove(exact, undefined)}
        />
      </div>
      <ValueLines
        lines={[{ label: name, value }]}
        range={range}
        onMove={(_, moved, gesture) => onMove(moved, gesture)}
      />
    </div>
  );
}
