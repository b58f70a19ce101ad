/** A curve: its points, and how it is drawn. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly dash?: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const width = 560;
const height = 360;
const frame = { left: 64, right: 150, top: 36, bottom: 46 };

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Powers of ten from below the least to above the greatest value. */
function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, k) => 10 ** (low + k));
}

const powers = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const tick = (value: number): string => {
  const power = Math.round(Math.log10(value));
  if (power >= -2 && power <= 3) return String(Number(value.toPrecision(1)));
  return `10${power < 0 ? "⁻" : ""}${[...String(Math.abs(power))].map((digit) => powers[Number(digit)]).join("")}`;
};

/** Both axes logarithmic, so that what grows linearly is a straight line. Throws where no curve has a point. */
export function drawChart({ title, xLabel, yLabel, series }: Chart): string {
  const drawn = series.filter(({ points }) => points.length > 0);
  if (drawn.length === 0) throw new Error(`“${title}” has nothing to draw.`);
  const xs = decades(drawn.flatMap(({ points }) => points.map(([x]) => x)));
  const ys = decades(drawn.flatMap(({ points }) => points.map(([, y]) => y)));
  const [right, bottom] = [width - frame.right, height - frame.bottom];
  const place = (value: number, range: readonly number[], from: number, to: number) => {
    const [low, high] = [Math.log10(range[0]), Math.log10(range[range.length - 1])];
    return from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  };
  const x = (value: number) => place(value, xs, frame.left, right).toFixed(1);
  const y = (value: number) => place(value, ys, bottom, frame.top).toFixed(1);
  const grid = [
    ...xs.map(
      (value) =>
        `<line x1="${x(value)}" x2="${x(value)}" y1="${frame.top}" y2="${bottom}" class="grid"/>` +
        `<text x="${x(value)}" y="${bottom + 16}" text-anchor="middle">${tick(value)}</text>`,
    ),
    ...ys.map(
      (value) =>
        `<line x1="${frame.left}" x2="${right}" y1="${y(value)}" y2="${y(value)}" class="grid"/>` +
        `<text x="${frame.left - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${tick(value)}</text>`,
    ),
  ];
  const curves = drawn.map(({ name, color, dash, points }, k) => {
    const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(" ");
    const marks = points
      .map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${color}"/>`)
      .join("");
    const at = frame.top + 12 + 18 * k;
    const stroke = `stroke="${color}"${dash ? ` stroke-dasharray="${dash}"` : ""}`;
    return (
      `<polyline points="${path}" fill="none" stroke-width="2" ${stroke}/>${marks}` +
      `<line x1="${right + 14}" x2="${right + 38}" y1="${at - 4}" y2="${at - 4}" stroke-width="2" ${stroke}/>` +
      `<text x="${right + 44}" y="${at}">${escaped(name)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text { font: 12px system-ui, sans-serif; fill: #333 } .grid { stroke: #ddd } .title { font-size: 14px; font-weight: 600 }</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${frame.left}" y="20" class="title">${escaped(title)}</text>
${grid.join("\n")}
${curves.join("\n")}
<text x="${(frame.left + right) / 2}" y="${height - 8}" text-anchor="middle">${escaped(xLabel)}</text>
<text transform="translate(14 ${(frame.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>
</svg>
`;
}
