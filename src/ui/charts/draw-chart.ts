/** The charting library with the parts that are used: it is loaded when there is first something to chart. */
import { CustomChart, LineChart } from "echarts/charts";
import {
  DataZoomInsideComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import type { ChartData } from "./chart-data.ts";
import { type ChartColors, chartOption } from "./chart-option.ts";

use([
  CanvasRenderer,
  SVGRenderer,
  CustomChart,
  LineChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  DataZoomInsideComponent,
  MarkLineComponent,
]);

export interface DrawnChart {
  /** What was zoomed to stays. */
  show(data: ChartData, colors: ChartColors): void;
  resetZoom(): void;
  resize(): void;
  dispose(): void;
}

export function drawChart(element: HTMLElement): DrawnChart {
  const chart = init(element, undefined, { renderer: "canvas" });
  return {
    show: (data, colors) => chart.setOption(chartOption(data, colors, true), { replaceMerge: ["series"] }),
    resetZoom: () => chart.dispatchAction({ type: "dataZoom", start: 0, end: 100 }),
    resize: () => chart.resize(),
    dispose: () => chart.dispose(),
  };
}

/** The chart as a drawing for documents, in colours for white paper. */
export function chartSvg(data: ChartData): string {
  const chart = init(null, undefined, { renderer: "svg", ssr: true, width: 640, height: 400 });
  const colors = { ink: "#1a1a1a", soft: "#444444", line: "#bbbbbb", paper: "#ffffff" };
  chart.setOption(chartOption(data, colors, false));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
