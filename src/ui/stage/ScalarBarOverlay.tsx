import { useShallow } from "zustand/react/shallow";
import { type BarLayout, barLayout } from "../../core/bar-layout.ts";
import { formatWithin } from "../../core/format.ts";
import { barLabels } from "../../core/scalar-bar.ts";
import type { ScalarBar } from "../../engine/api.ts";
import { barTitles } from "../../engine/layers/bar-titles.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp } from "../session-context.tsx";
import styles from "./ScalarBarOverlay.module.css";

/** Loaded when a bar is first logarithmic. */
const scaledBar = lazyPart("The scale of the colours", () => import("./ScaledBar.tsx"));

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

const scaleNames = { linear: "", log: ", logarithmic", symlog: ", symmetric logarithmic" };

function Bar({ bar, layout }: { bar: ScalarBar; layout: BarLayout }) {
  const { title, min, max, scale = "linear", nanColor, hasNaN } = bar;
  const range = bar.bands === undefined ? [min, max] : [0, bar.bands - 1];
  const [from, to] = range.map((number) => formatWithin(number, bar));
  return (
    <figure
      className={styles.bar}
      aria-label={`Scalar bar: ${title} from ${from} to ${to}${scaleNames[scale]}`}
    >
      <figcaption className={styles.title}>{title}</figcaption>
      {scale === "linear" ? (
        <LinearBar bar={bar} layout={layout} />
      ) : (
        <LazyBoundary part={scaledBar} wish="shown">
          {({ default: ScaledBar }) => <ScaledBar bar={bar} layout={layout} />}
        </LazyBoundary>
      )}
      {hasNaN && (
        <p className={styles.nan}>
          NaN
          <span className={styles.swatch} style={{ background: nanColor }} />
        </p>
      )}
    </figure>
  );
}

function LinearBar({ bar, layout }: { bar: ScalarBar; layout: BarLayout }) {
  const { texts, areBands } = barLabels(bar, layout);
  return (
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
        style={{ background: `linear-gradient(var(--upward), ${bar.colors.join(", ")})` }}
      />
    </div>
  );
}
