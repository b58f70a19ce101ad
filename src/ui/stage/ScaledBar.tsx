import type { CSSProperties } from "react";
import type { BarLayout } from "../../core/bar-layout.ts";
import { scaledLabels } from "../../core/scaled-labels.ts";
import type { ScalarBar } from "../../engine/api.ts";
import styles from "./ScalarBarOverlay.module.css";

/** Down a standing bar, or from the right end of a lying one. */
const placeAt = (place: number) => ({ "--place": `${100 * place}%` }) as CSSProperties;

/** The colours of a logarithmic bar, with a number at each tick. */
export default function ScaledBar({ bar, layout }: { bar: ScalarBar; layout: BarLayout }) {
  const { texts, ticks } = scaledLabels(bar, layout);
  return (
    <div className={styles.scale}>
      <ol className={styles.labels} data-placed={ticks !== undefined || undefined}>
        {texts.map((text, i) => (
          <li key={text} data-align={ticks?.[i].align} style={ticks && placeAt(ticks[i].place)}>
            {text}
          </li>
        ))}
      </ol>
      <div
        className={styles.colors}
        style={{ background: `linear-gradient(var(--upward), ${bar.colors.join(", ")})` }}
      >
        {ticks?.map(({ place }) => (
          <span key={place} className={styles.tick} style={placeAt(place)} />
        ))}
      </div>
    </div>
  );
}
