import type { CSSProperties } from "react";
import { useShallow } from "zustand/react/shallow";
import { formatWithin } from "../../core/format.ts";
import { type BarLayout, barLabels, barLayout, labelAlign } from "../../core/scalar-bar.ts";
import type { ScaleKind } from "../../core/scale.ts";
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

const scaleNames: Readonly<Record<ScaleKind, string>> = {
  linear: "",
  log: ", logarithmic",
  symlog: ", symmetric logarithmic",
};

/** Down a standing bar, or from the right end of a lying one. */
const placeAt = (place: number) => ({ "--place": `${100 * place}%` }) as CSSProperties;

function Bar({ bar, layout }: { bar: ScalarBar; layout: BarLayout }) {
  const { title, min, max, scale, colors, nanColor, hasNaN } = bar;
  const labels = barLabels(bar, layout);
  const { texts, areBands, places } = labels;
  const range = bar.bands === undefined ? [min, max] : [0, bar.bands - 1];
  const [from, to] = range.map((number) => formatWithin(number, bar));
  return (
    <figure
      className={styles.bar}
      aria-label={`Scalar bar: ${title} from ${from} to ${to}${scale ? scaleNames[scale] : ""}`}
    >
      <figcaption className={styles.title}>{title}</figcaption>
      <div className={styles.scale}>
        <ol
          className={styles.labels}
          data-single={texts.length === 1 || undefined}
          data-bands={areBands || undefined}
          data-placed={places && true}
        >
          {texts.map((text, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two labels of a narrow range may read the same
            <li key={i} data-align={labelAlign(labels, i)} style={places && placeAt(places[i])}>
              {text}
            </li>
          ))}
        </ol>
        <div
          className={styles.colors}
          style={{ background: `linear-gradient(var(--upward), ${colors.join(", ")})` }}
        >
          {places?.map((place) => (
            <span key={place} className={styles.tick} style={placeAt(place)} />
          ))}
        </div>
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
