import { useShallow } from "zustand/react/shallow";
import { formatWithin } from "../../core/format.ts";
import { type BarLayout, barLabels, barLayout } from "../../core/scalar-bar.ts";
import type { ScalarBar } from "../../engine/api.ts";
import { barTitles } from "../../engine/layers/bar-titles.ts";
import { useApp } from "../session-context.tsx";
import styles from "./ScalarBarOverlay.module.css";

interface ViewSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** The scalar bars of the layers. */
export function ScalarBarOverlay({ size }: { size: ViewSize }) {
  const bars = useApp(({ scalarBars }) => scalarBars);
  const titles = useApp(useShallow(({ scalarBars, layers }) => barTitles(scalarBars, layers.list)));
  if (bars.length === 0) return null;
  const layout = barLayout(size, bars.length);
  return (
    <div className={styles.bars} data-layout={layout}>
      {bars.map(({ id, bar }) => (
        <Bar key={id} bar={{ ...bar, title: titles[id] }} layout={layout} />
      ))}
    </div>
  );
}

function Bar({ bar, layout }: { bar: ScalarBar; layout: BarLayout }) {
  const { title, min, max, colors, nanColor, hasNaN } = bar;
  const { texts, areBands } = barLabels(bar, layout);
  const range = bar.bands === undefined ? [min, max] : [0, bar.bands - 1];
  const [from, to] = range.map((number) => formatWithin(number, bar));
  return (
    <figure className={styles.bar} aria-label={`Scalar bar: ${title} from ${from} to ${to}`}>
      <figcaption className={styles.title}>{title}</figcaption>
      <div className={styles.scale}>
        <ol
          className={styles.labels}
          data-single={texts.length === 1 || undefined}
          data-bands={areBands || undefined}
        >
          {texts.map((text, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two labels of a narrow range may read the same
            <li key={i}>{text}</li>
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
