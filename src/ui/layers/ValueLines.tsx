import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { formatWithin } from "../../core/format.ts";
import { type Scale, scalePosition, scaleValue } from "../../core/scale.ts";
import type { HistogramSummary } from "../../engine/api.ts";
import { Histogram } from "../controls/Histogram.tsx";
import { nextGesture } from "./gestures.ts";
import { keyedOn } from "./slider-keys.ts";
import styles from "./ValueLines.module.css";

export interface Line {
  readonly label: string;
  readonly value: number;
}

interface Props {
  /** How values are laid out; linear over the range by default. */
  readonly axis?: Scale | undefined;
  /** Below the middle of the axis. */
  readonly caption?: ReactNode;
  readonly lines: readonly Line[];
  readonly range: { readonly min: number; readonly max: number } | undefined;
  /** The histogram behind the lines; undefined if there is none. */
  readonly histogram?: HistogramSummary | undefined;
  /** Reserves space for the histogram while it is being computed. */
  readonly hasPlot?: boolean;
  /** Shades the range between the first two lines. */
  readonly isBand?: boolean;
  /** Index of the chosen line, if one can be chosen. */
  readonly chosen?: number;
  readonly onChoose?: (index: number) => void;
  /** `gesture` numbers the drag; it is undefined for keys. */
  readonly onMove: (index: number, value: number, gesture: number | undefined) => void;
}

/**
 * Draggable lines at values of a range, over a histogram if there is one. Each line is also a slider for the keyboard.
 */
export function ValueLines(props: Props) {
  const { lines, range, axis, caption, histogram, hasPlot, isBand, chosen, onChoose, onMove } = props;
  const track = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly index: number; readonly gesture: number }>(undefined);
  const isUsable = range !== undefined && range.max > range.min;
  const { min, max } = isUsable ? range : { min: 0, max: 1 };
  const scale: Scale = axis && isUsable ? axis : { kind: "linear", low: min, high: max };
  const { low, high } = scale;
  const place = (value: number) => Math.min(1, Math.max(0, scalePosition(scale, value) || 0));

  const placeAt = ({ clientX }: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    return box && box.width > 0 ? (clientX - box.left) / box.width : 0;
  };
  const valueAt = (event: PointerEvent): number => scaleValue(scale, placeAt(event));
  const nearest = (at: number): number => {
    const distances = lines.map(({ value }) => Math.abs(place(value) - at));
    return distances.indexOf(Math.min(...distances));
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (!isUsable || event.button !== 0 || lines.length === 0) return;
    const value = valueAt(event);
    const index = nearest(placeAt(event));
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=slider]")[index]?.focus({ preventScroll: true });
    drag.current = { index, gesture: nextGesture() };
    onMove(index, value, drag.current.gesture);
  };
  const move = (event: PointerEvent): void => {
    if (drag.current) onMove(drag.current.index, valueAt(event), drag.current.gesture);
  };
  const release = (): void => {
    drag.current = undefined;
  };
  const key = (event: KeyboardEvent, index: number): void => {
    const target = isUsable ? keyedOn(scale, event, lines[index].value) : undefined;
    if (target === undefined) return;
    event.preventDefault();
    onMove(index, target, undefined);
  };
  return (
    <div className={styles.frame} data-usable={isUsable || undefined}>
      <div
        className={styles.area}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
      >
        {hasPlot && <div className={styles.plot}>{histogram && <Histogram histogram={histogram} />}</div>}
        <div className={styles.track} ref={track}>
          {isBand && lines.length === 2 && (
            <div
              className={styles.band}
              style={{
                left: `${100 * place(lines[0].value)}%`,
                right: `${100 - 100 * place(lines[1].value)}%`,
              }}
            />
          )}
          {lines.map(({ label, value }, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the list
              key={index}
              className={styles.line}
              style={{ left: `${100 * place(value)}%` }}
              role="slider"
              tabIndex={isUsable ? 0 : -1}
              aria-label={label}
              aria-valuemin={low}
              aria-valuemax={high}
              aria-valuenow={Number.isFinite(value) ? value : low}
              aria-valuetext={formatWithin(value, { min, max })}
              aria-disabled={!isUsable || undefined}
              data-chosen={(chosen !== undefined && lines.length > 1 && chosen === index) || undefined}
              data-plot={hasPlot || undefined}
              onFocus={() => onChoose?.(index)}
              onKeyDown={(event) => key(event, index)}
            />
          ))}
        </div>
      </div>
      <div className={styles.ends}>
        <span aria-hidden="true">{isUsable && formatWithin(low, { min, max })}</span>
        {caption}
        <span aria-hidden="true">{isUsable && formatWithin(high, { min, max })}</span>
      </div>
    </div>
  );
}
