import type { KeyboardEvent } from "react";
import { formatWithin } from "../../core/format.ts";
import { Histogram } from "../controls/Histogram.tsx";
import { NumberField } from "../controls/NumberField.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./IsovalueSlider.module.css";
import { keyedValue } from "./slider-keys.ts";

const unit = { min: 0, max: 1 };

/** The isovalue over its field's range; each input goes to the engine at once. */
export function IsovalueSlider() {
  const { surface } = useSession();
  const isovalue = useApp(({ surface: { requested, settings } }) => (requested ?? settings)?.isovalue);
  const statistics = useApp(({ surface }) => surface.statistics);
  const histogram = useApp(({ surface }) => surface.histogram);
  const isUsable = isovalue !== undefined && statistics !== undefined && statistics.max > statistics.min;
  const range = isUsable ? statistics : unit;
  const { min, max } = range;
  const value = isovalue ?? 0.5;
  const press = (event: KeyboardEvent): void => {
    const target = keyedValue(event, value, { min, max });
    if (target === undefined) return;
    event.preventDefault();
    surface.setIsovalue(target);
  };
  return (
    <div>
      <div className={styles.head}>
        <span className={styles.name} id="isovalue-label">
          Isovalue
        </span>
        <NumberField
          className={styles.exact}
          aria-label="Exact value"
          value={isovalue ?? Number.NaN}
          range={range}
          disabled={isovalue === undefined}
          onCommit={surface.setIsovalue}
        />
      </div>
      <div className={styles.plot}>{histogram && <Histogram histogram={histogram} />}</div>
      <input
        className={styles.slider}
        type="range"
        aria-labelledby="isovalue-label"
        aria-valuetext={formatWithin(value, range)}
        min={min}
        max={max}
        step="any"
        value={value}
        disabled={!isUsable}
        onChange={({ currentTarget }) => surface.setIsovalue(currentTarget.valueAsNumber)}
        onKeyDown={press}
      />
      <div className={styles.ends} aria-hidden="true">
        <span>{isUsable && formatWithin(min, range)}</span>
        <span>{isUsable && formatWithin(max, range)}</span>
      </div>
    </div>
  );
}
