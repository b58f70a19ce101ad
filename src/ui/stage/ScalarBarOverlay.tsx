import { useShallow } from "zustand/react/shallow";
import { formatWithin } from "../../core/format.ts";
import { barLayout, scalarBarLabels } from "../../core/scalar-bar.ts";
import type { ScalarBar } from "../../engine/api.ts";
import { useApp } from "../session-context.tsx";
import { barTitles } from "../store/layers/bar-titles.ts";
import styles from "./ScalarBarOverlay.module.css";

const labelCount = 5;

interface ViewSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** What the colours of the layers mean. */
export function ScalarBarOverlay({ size }: { size: ViewSize }) {
  const bars = useApp(({ scalarBars }) => scalarBars);
  const titles = useApp(useShallow(({ scalarBars, layers }) => barTitles(scalarBars, layers)));
  if (bars.length === 0) return null;
  return (
    <div className={styles.bars} data-layout={barLayout(size, bars.length)}>
      {bars.map(({ id, bar }) => (
        <Bar key={id} bar={{ ...bar, title: titles[id] }} />
      ))}
    </div>
  );
}

function Bar({ bar }: { bar: ScalarBar }) {
  const { title, min, max, colors, nanColor, hasNaN } = bar;
  const labels = scalarBarLabels(min, max, labelCount);
  return (
    <figure
      className={styles.bar}
      aria-label={`Scalar bar: ${title} from ${formatWithin(min, bar)} to ${formatWithin(max, bar)}`}
    >
      <figcaption className={styles.title}>{title}</figcaption>
      <div className={styles.scale}>
        <ol className={styles.labels} data-single={labels.length === 1 || undefined}>
          {labels.map((label, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two labels of a narrow range may read the same
            <li key={i}>{label}</li>
          ))}
        </ol>
        <div
          className={styles.colors}
          style={{ background: `linear-gradient(var(--upward), ${colors.join(", ")})` }}
        />
      </div>
      {hasNaN && (
        <p className={styles.nan}>
          NaN
          <span className={styles.swatch} style={{ background: nanColor }} />
        </p>
      )}
    </figure>
  );
}
