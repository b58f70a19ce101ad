import { format, scaleFor, ticksOf } from "./scale.ts";

export type Marker = "circle" | "square" | "diamond" | "triangle" | "wedge" | "cross";

/** A curve: its points, and how it is drawn. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly marker: Marker;
  readonly dash?: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Texts above or below the points, in their order; empty where there is none. */
  readonly labels?: { readonly side: "above" | "below"; readonly texts: readonly string[] };
  /** Where there would be points but for a refusal; at the top of the frame where y is not known. */
  readonly refused?: readonly (readonly [x: number, y: number | undefined])[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

/** Panels side by side with the same axes, both logarithmic: what grows linearly is a straight line. */
export interface Figure {
  readonly title: string;
  /** What the figure shows, for those who do not see it. */
  readonly description?: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly panels: readonly Panel[];
  /** Where the x axis is labelled, and with what; only what is drawn counts. Without, at round numbers. */
  readonly xTicks?: readonly (readonly [x: number, text: string])[];
  /** A horizontal line. */
  readonly limit?: { readonly name: string; readonly y: number };
}

const width = 1000;
const plotHeight = 278;
/** `top` is where the panels begin under a legend of no rows. */
const frame = { left: 66, right: 16, top: 82, bottom: 56, gap: 22 };
const stripHeight = 13;
const legendRow = 22;
const refusedColor = "#8a8a8a";
/** Of texts, read on white pages and on dark ones alike: a contrast of more than 4 with both. */
const ink = "#727b85";
const style = `text { font: 13px system-ui, sans-serif; fill: ${ink} } .grid { stroke: ${ink}; stroke-opacity: 0.25 } .frame { stroke: ${ink}; fill: none } .title { font-size: 16px; font-weight: 600 } .panel { font-weight: 600 } .label { font-size: 11px } .limit { fill: #1a7f37 }`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const shapes: Readonly<Record<Marker, string>> = {
  circle: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z",
  square: "M-3.2 -3.2h6.4v6.4h-6.4Z",
  diamond: "M0 -6L6 0L0 6L-6 0Z",
  triangle: "M0 -4.4L4.2 3.2H-4.2Z",
  wedge: "M0 5.4L5.2 -4H-5.2Z",
  cross: "M-3.5 -3.5L3.5 3.5M-3.5 3.5L3.5 -3.5",
};

const mark = (marker: Marker, color: string, x: number, y: number): string => {
  const paint =
    marker === "cross" || marker === "diamond"
      ? `fill="none" stroke="${color}" stroke-width="1.6"`
      : `fill="${color}"`;
  return `<path d="${shapes[marker]}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" ${paint}/>`;
};

const isDrawn = ({ points, refused = [] }: Series): boolean => points.length + refused.length > 0;

/** Whether the curve has refusals that are marked above all curves. */
const isInStrip = ({ refused = [] }: Series): boolean => refused.some(([, y]) => y === undefined);

/** Throws where no curve has a point. */
export function drawFigure(figure: Figure): string {
  const { title, description, xLabel, yLabel, panels, xTicks, limit } = figure;
  const all = panels.flatMap(({ series }) => series).filter(isDrawn);
  const known = all.flatMap(({ points, refused = [] }) => [...points, ...refused]);
  const xs = known.map(([x]) => x);
  const ys = known.flatMap(([, y]) => (y === undefined ? [] : [y]));
  if (ys.length === 0) throw new Error(`“${title}” has nothing to draw.`);
  const plotWidth = (width - frame.left - frame.right - frame.gap * (panels.length - 1)) / panels.length;
  const entries = legend(all);
  const top = frame.top + legendRow * entries.rows;
  const bottom = top + plotHeight;
  const height = bottom + frame.bottom;
  const strips = Math.max(...panels.map(({ series }) => series.filter(isInStrip).length));
  const y = scaleFor([...ys, ...(limit ? [limit.y] : [])], bottom, top + stripHeight * strips);
  const parts = panels.map((panel, k) => {
    const left = frame.left + k * (plotWidth + frame.gap);
    const x = scaleFor(xs, left, left + plotWidth);
    const columns = (xTicks ?? ticksOf(x).map((value) => [value, format(value)] as const)).filter(
      ([value]) => value >= x.low && value <= x.high,
    );
    const place = { x, y, columns, left, right: left + plotWidth, top, bottom, isFirst: k === 0 };
    return drawPanel(panel, place, limit);
  });
  const middle = (frame.left + width - frame.right) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title)}</title>
<desc>${escaped(description ?? `${yLabel} by ${xLabel}`)}</desc>
<style>${style}</style>
<text x="${frame.left}" y="26" class="title">${escaped(title)}</text>
${entries.svg}
${parts.join("\n")}
<text x="${middle}" y="${height - 12}" text-anchor="middle">${escaped(xLabel)}</text>
<text transform="translate(18 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>
</svg>
`;
}

function legend(all: readonly Series[]): { svg: string; rows: number } {
  const names = new Map(all.map((series) => [series.name, series]));
  const entries = [...names.values()].map(({ name, color, marker, dash }) => ({
    name,
    sample: (x: number, y: number) =>
      `<line x1="${x}" x2="${x + 28}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2"${dashed(dash)}/>` +
      mark(marker, color, x + 14, y),
  }));
  if (all.some(({ refused = [] }) => refused.length > 0)) {
    const sample = (x: number, y: number) => mark("cross", refusedColor, x + 14, y);
    entries.push({ name: "refused: more memory than allowed", sample });
  }
  let [x, rows] = [frame.left, 1];
  const drawn = entries.map(({ name, sample }) => {
    const length = 34 + 7 * name.length;
    if (x + length > width - frame.right) [x, rows] = [frame.left, rows + 1];
    const y = 54 + legendRow * (rows - 1);
    const entry = `${sample(x, y)}<text x="${x + 34}" y="${y + 4.5}">${escaped(name)}</text>`;
    x += length + 22;
    return entry;
  });
  return { svg: drawn.join("\n"), rows };
}

const dashed = (dash: string | undefined): string => (dash ? ` stroke-dasharray="${dash}"` : "");

interface Place {
  readonly x: ReturnType<typeof scaleFor>;
  readonly y: ReturnType<typeof scaleFor>;
  /** What the x axis is labelled with. */
  readonly columns: NonNullable<Figure["xTicks"]>;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly isFirst: boolean;
}

const labelOf = (text: string, x: number, y: number): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle" class="label">${escaped(text)}</text>`;

function drawPanel({ title, series }: Panel, place: Place, limit: Figure["limit"]): string {
  const { x, y, left, right, top, bottom, isFirst } = place;
  const rows = ticksOf(y).map((value) => {
    const at = y.at(value).toFixed(1);
    const label = `<text x="${left - 8}" y="${Number(at) + 4.5}" text-anchor="end">${format(value)}</text>`;
    return `<line x1="${left}" x2="${right}" y1="${at}" y2="${at}" class="grid"/>${isFirst ? label : ""}`;
  });
  const columns = place.columns.map(([value, text]) => {
    const at = x.at(value).toFixed(1);
    return `<line x1="${at}" x2="${at}" y1="${top}" y2="${bottom}" class="grid"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${escaped(text)}</text>`;
  });
  const line = limit
    ? `<line x1="${left}" x2="${right}" y1="${y.at(limit.y).toFixed(1)}" y2="${y.at(limit.y).toFixed(1)}" stroke="#1a7f37" stroke-width="1.5"/>` +
      (isFirst
        ? `<text x="${left + 6}" y="${(y.at(limit.y) - 5).toFixed(1)}" class="limit">${escaped(limit.name)}</text>`
        : "")
    : "";
  const strips = series.filter(isInStrip);
  // The first of the legend lies above the others.
  const curves = [...series]
    .filter(isDrawn)
    .reverse()
    .map((one) => {
      const { color, dash, marker, points, labels, refused = [] } = one;
      const path = points.map(([px, py]) => `${x.at(px).toFixed(1)},${y.at(py).toFixed(1)}`).join(" ");
      const row = top + stripHeight * (strips.indexOf(one) + 0.7);
      return [
        `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"${dashed(dash)}/>`,
        ...points.map(([px, py]) => mark(marker, color, x.at(px), y.at(py))),
        ...points.map(([px, py], k) => {
          const text = labels?.texts[k];
          return text ? labelOf(text, x.at(px), y.at(py) + (labels.side === "above" ? -8 : 17)) : "";
        }),
        ...refused.map(([px, py]) => mark("cross", color, x.at(px), py === undefined ? row : y.at(py))),
      ].join("");
    });
  return [
    `<text x="${left}" y="${top - 12}" class="panel">${escaped(title)}</text>`,
    ...rows,
    ...columns,
    `<rect x="${left}" y="${top}" width="${(right - left).toFixed(1)}" height="${bottom - top}" class="frame"/>`,
    line,
    ...curves,
  ].join("\n");
}
