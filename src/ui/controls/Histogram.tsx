import { formatCount, formatWithin } from "../../core/format.ts";
import type { HistogramSummary } from "../../engine/api.ts";
import styles from "./Histogram.module.css";
import { histogramPath } from "./histogram-path.ts";

interface Props {
  readonly histogram: HistogramSummary;
  /** Accessible name of the picture; without one it is decoration. */
  readonly label?: string;
}

/** Bars of counts over a field's range; heights are square roots, so that rare values remain visible. */
export function Histogram({ histogram, label }: Props) {
  const { min, max, counts } = histogram;
  const [from, to] = [formatWithin(min, histogram), formatWithin(max, histogram)];
  const maxCount = Math.max(...counts);
  const description =
    label &&
    `${label}: ${counts.length} bins from ${from} to ${to}, at most ${formatCount(maxCount)} values in a bin`;
  return (
    <svg
      className={styles.plot}
      viewBox={`0 0 ${counts.length} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={description}
      aria-hidden={description === undefined}
    >
      <path d={histogramPath(counts)} />
    </svg>
  );
}
