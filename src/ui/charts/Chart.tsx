import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { downloadBlob } from "../controls/download.ts";
import { IconButton } from "../controls/IconButton.tsx";
import styles from "./Chart.module.css";
import { type ChartData, chartCsv } from "./chart-data.ts";
import { chartSvg, type DrawnChart, drawChart } from "./draw-chart.ts";

interface Props {
  readonly data: ChartData;
  /** What the chart says, for people who do not see it. */
  readonly summary: string;
  /** In CSS pixels. */
  readonly height?: number;
}

/** A chart that is zoomed along x by wheel or pinch and moved by dragging, and saved as numbers or as a drawing. */
export default function Chart({ data, summary, height = 150 }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart>(undefined);
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const chart = drawChart(element);
    drawn.current = chart;
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
      drawn.current = undefined;
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours that are read
  useEffect(() => {
    if (host.current) drawn.current?.show(data, colorsOf(host.current));
  }, [data, scheme]);
  const save = (extension: string, type: string, text: string): void =>
    downloadBlob(`${data.title.toLowerCase().replaceAll(" ", "-")}.${extension}`, new Blob([text], { type }));
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.head}>
        <span className={styles.title}>{data.title}</span>
        <IconButton
          label={`Show all of ${data.title}`}
          icon="expand"
          size={24}
          onClick={() => drawn.current?.resetZoom()}
        />
        <button
          type="button"
          className={styles.save}
          aria-label={`${data.title} as CSV`}
          onClick={() => save("csv", "text/csv", chartCsv(data))}
        >
          CSV
        </button>
        <button
          type="button"
          className={styles.save}
          aria-label={`${data.title} as SVG`}
          onClick={() => save("svg", "image/svg+xml", chartSvg(data))}
        >
          SVG
        </button>
      </figcaption>
      <div ref={host} className={styles.plot} style={{ height }} role="img" aria-label={summary} />
    </figure>
  );
}

function colorsOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), soft: of("--ink-soft"), line: of("--line"), paper: of("--paper") };
}
