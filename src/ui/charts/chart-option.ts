/** Charts as options of ECharts. */
import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type {
  DataZoomComponentOption,
  GridComponentOption,
  LegendComponentOption,
  MarkLineComponentOption,
  TooltipComponentOption,
} from "echarts/components";
import type { ComposeOption } from "echarts/core";
import type { ChartData, ChartLine } from "./chart-data.ts";

export type ChartOption = ComposeOption<
  | LineSeriesOption
  | CustomSeriesOption
  | GridComponentOption
  | TooltipComponentOption
  | LegendComponentOption
  | DataZoomComponentOption
  | MarkLineComponentOption
>;

export interface ChartColors {
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly paper: string;
}

/** Okabe and Ito's colours, which people with any kind of colour vision tell apart, without black and yellow. */
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

const font = "system-ui, sans-serif";

/** `canZoom`: by wheel, pinch and drag along x; a picture for a file has no need of it. */
export function chartOption(
  { xName, yName, lines, mark, hasPoints = false }: ChartData,
  { ink, soft, line, paper }: ChartColors,
  canZoom: boolean,
): ChartOption {
  const text = { color: soft, fontFamily: font, fontSize: 11 };
  const axis = {
    type: "value" as const,
    scale: true,
    axisLine: { show: true, lineStyle: { color: line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: line, opacity: 0.6 } },
    axisLabel: { ...text, hideOverlap: true },
    nameTextStyle: text,
  };
  const hasLegend = lines.length > 1 || mark !== undefined;
  return {
    animation: false,
    backgroundColor: paper,
    color: palette,
    textStyle: { fontFamily: font, color: ink },
    grid: { left: 8, right: 14, top: hasLegend ? 44 : 24, bottom: 22, containLabel: true },
    legend: {
      show: hasLegend,
      type: canZoom ? "scroll" : "plain",
      data: [...lines.map(({ name }) => name), ...(mark ? [mark.text] : [])],
      top: 0,
      left: 8,
      right: 0,
      itemWidth: 14,
      itemHeight: 8,
      textStyle: { ...text, color: ink },
    },
    tooltip: {
      show: canZoom,
      trigger: "axis",
      confine: true,
      backgroundColor: paper,
      borderColor: line,
      textStyle: { color: ink, fontFamily: font, fontSize: 12 },
      valueFormatter: (value) => Number(value).toPrecision(6),
    },
    dataZoom: canZoom ? [{ type: "inside", xAxisIndex: 0, filterMode: "none" }] : [],
    xAxis: { ...axis, name: xName, nameLocation: "middle", nameGap: 20 },
    // Above the axis, from the left edge of the numbers beside it.
    yAxis: {
      ...axis,
      name: yName,
      nameLocation: "end",
      nameGap: 10,
      nameTextStyle: { ...text, align: "left" },
    },
    series: [
      ...lines.flatMap((given, k) => [
        ...(given.errors ? [errorBars(given, palette[k % palette.length])] : []),
        {
          type: "line" as const,
          name: given.name,
          data: Array.from({ length: given.x.length }, (_, i) => [given.x[i], given.y[i]]),
          color: palette[k % palette.length],
          lineStyle: { width: 1.5 },
          // A point alone has no line.
          showSymbol: hasPoints || given.x.length === 1,
          symbolSize: 5,
          symbol: "circle",
        },
      ]),
      ...(mark ? [markedLine(mark, soft)] : []),
    ],
  };
}

/** A line across the chart at a value of x; the legend says what it is. */
const markedLine = ({ x, text }: NonNullable<ChartData["mark"]>, color: string): LineSeriesOption => {
  const lineStyle = { color, type: "dashed" as const, width: 1 };
  return {
    type: "line",
    name: text,
    color,
    lineStyle,
    symbol: "none",
    data: [],
    markLine: { silent: true, symbol: "none", lineStyle, label: { show: false }, data: [{ xAxis: x }] },
  };
};

/** From a standard error below each point to one above it. */
const errorBars = ({ name, x, y, errors }: ChartLine, color: string): CustomSeriesOption => ({
  type: "custom",
  name,
  silent: true,
  tooltip: { show: false },
  data: Array.from({ length: x.length }, (_, k) => [x[k], y[k], errors?.[k] ?? Number.NaN]).filter(
    ([, , error]) => Number.isFinite(error),
  ),
  renderItem: (_, api) => {
    const [at, middle, error] = [0, 1, 2].map((k) => Number(api.value(k)));
    const [left, low] = api.coord([at, middle - error]);
    const [, high] = api.coord([at, middle + error]);
    const style = { stroke: color, lineWidth: 1 };
    const shapes = [
      { x1: left, y1: low, x2: left, y2: high },
      { x1: left - 3, y1: low, x2: left + 3, y2: low },
      { x1: left - 3, y1: high, x2: left + 3, y2: high },
    ];
    return { type: "group", children: shapes.map((shape) => ({ type: "line" as const, shape, style })) };
  },
});
