import { barLayout } from "../core/bar-layout.ts";
import { type BarLabels, labelPlace } from "../core/scalar-bar.ts";
import { scaledLabels } from "../core/scaled-labels.ts";
import type { ScalarBar } from "../core/view.ts";
import { fontFamily } from "./glyph-atlas.ts";
import { cssColor, type ThemeColors } from "./theme.ts";

const fontSize = 12;
const titleFont = `${fontSize}px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace`;
const labelFont = `${fontSize}px ${fontFamily}`;
/** CSS pixels. */
const textHeight = 17;
const gap = 7;
const swatch = 13;
/** Gap between bars. */
const apart = 8;
/** The space of the page's buttons above the bars, with the gaps. */
const toolbarHeight = (height: number) => (height < 540 ? 213 : 352);
/**
 * CSS pixels of a horizontal bar: its padding, the gap below the title, the height of the colours, and the gap below
 * them.
 */
interface Measures {
  readonly across: number;
  readonly above: number;
  readonly gap: number;
  readonly bar: number;
  readonly below: number;
}

const lying: Measures = { across: 10, above: 6, gap: 4, bar: 10, below: 2 };
const compact: Measures = { across: 8, above: 4, gap: 2, bar: 6, below: 1 };
const heightOf = ({ above, gap, bar, below }: Measures) => 2 * above + 2 * textHeight + gap + bar + below;

type Context = OffscreenCanvasRenderingContext2D;

/**
 * Draws scalar bars into the lower right corner of a picture, as the page shows them: title, numbers, colours from low
 * to high, a swatch for NaN where there is any. `width` and `height` are the picture's CSS pixels, of `ratio` pixels
 * each. The first lies lowest, at the right.
 */
export function drawLegends(
  context: Context,
  bars: readonly ScalarBar[],
  colors: ThemeColors,
  width: number,
  height: number,
  ratio: number,
): void {
  context.save();
  context.scale(ratio, ratio);
  const layout = barLayout({ width, height }, bars.length);
  if (layout === "standing") for (const bar of bars) drawStanding(context, bar, colors, width, height);
  else if (layout === "lying") {
    const [outerWidth, outerHeight] = [Math.min(164, 0.5 * width), heightOf(lying)];
    const inColumn = Math.max(
      1,
      Math.floor((height - toolbarHeight(height) + apart) / (outerHeight + apart)),
    );
    for (const [i, bar] of bars.entries()) {
      const right = width - 8 - Math.floor(i / inColumn) * (outerWidth + apart);
      const top = height - 8 - (i % inColumn) * (outerHeight + apart) - outerHeight;
      const labels = scaledLabels(bar, "lying");
      const texts = labels.texts.reduce((sum, label) => sum + measure(context, labelFont, label) + 10, -10);
      drawLying(context, bar, labels, colors, right, top, Math.max(outerWidth, texts + 20), lying);
    }
  } else {
    const [outerWidth, outerHeight] = [Math.min(164, 0.5 * width - 40), heightOf(compact)];
    const inRow = Math.max(1, Math.floor((width - 72 + apart) / (outerWidth + apart)));
    for (const [i, bar] of bars.entries()) {
      const right = width - 8 - (i % inRow) * (outerWidth + apart);
      const top = height - 8 - Math.floor(i / inRow) * (outerHeight + apart) - outerHeight;
      const labels = scaledLabels(bar, "compact");
      drawLying(context, bar, labels, colors, right, top, outerWidth, compact);
    }
  }
  context.restore();
}

function drawStanding(
  context: Context,
  bar: ScalarBar,
  colors: ThemeColors,
  width: number,
  height: number,
): void {
  const labels = scaledLabels(bar, "standing");
  const barHeight = Math.min(210, Math.max(90, 0.24 * height));
  const title = shorten(context, bar.title, 150);
  const titleWidth = measure(context, titleFont, title);
  const texts = bar.hasNaN ? [...labels.texts, "NaN"] : labels.texts;
  const labelWidth = Math.max(...texts.map((text) => measure(context, labelFont, text)));
  const innerWidth = Math.max(titleWidth, labelWidth + gap + swatch);
  const innerHeight = textHeight + 14 + barHeight + (bar.hasNaN ? textHeight + 6 : 0);
  const right = width - 14 - 12;
  const top = height - 14 - 14 - innerHeight;
  fillRounded(
    context,
    right - innerWidth - 12,
    top - 8,
    innerWidth + 24,
    innerHeight + 22,
    8,
    cssColor(colors.veil),
  );

  write(context, titleFont, title, right, top + 0.5 * textHeight, "right", colors);
  const left = right - swatch;
  const barTop = top + textHeight + 14;
  const gradient = gradientOf(context, bar.colors, 0, barTop + barHeight, 0, barTop);
  fillRounded(context, left, barTop, swatch, barHeight, 3, gradient);
  for (const { place } of labels.ticks ?? []) {
    const y = barTop + place * barHeight;
    fillRect(context, left, y - 1, 4, 1, tickDark);
    fillRect(context, left, y, 4, 1, tickLight);
  }
  for (const [k, text] of labels.texts.entries())
    write(context, labelFont, text, left - gap, barTop + labelPlace(labels, k) * barHeight, "right", colors);
  if (bar.hasNaN) drawNaN(context, bar, right, barTop + barHeight + 10, colors);
}

function drawLying(
  context: Context,
  bar: ScalarBar,
  labels: BarLabels,
  colors: ThemeColors,
  right: number,
  top: number,
  width: number,
  measures: Measures,
): void {
  const { across, above, gap, below } = measures;
  fillRounded(context, right - width, top, width, heightOf(measures), 8, cssColor(colors.veil));
  const [from, to] = [right - width + across, right - across];
  drawHead(context, bar, colors, from, top + above, to - from);
  const barTop = top + above + textHeight + gap;
  const gradient = gradientOf(context, bar.colors, from, 0, to, 0);
  fillRounded(context, from, barTop, to - from, measures.bar, 3, gradient);
  for (const { place } of labels.ticks ?? []) {
    const x = to - place * (to - from);
    fillRect(context, x - 1, barTop, 1, 4, tickDark);
    fillRect(context, x, barTop, 1, 4, tickLight);
  }
  const y = barTop + measures.bar + below + 0.5 * textHeight;
  for (const [k, text] of labels.texts.entries()) {
    const place = labelPlace(labels, k);
    const atEnds = labels.areBands || (place > 0 && place < 1) ? "center" : place === 0 ? "right" : "left";
    write(context, labelFont, text, to - place * (to - from), y, labels.ticks?.[k].align ?? atEnds, colors);
  }
}

/** Draws the title, and the swatch for NaN at its right. */
function drawHead(
  context: Context,
  bar: ScalarBar,
  colors: ThemeColors,
  left: number,
  top: number,
  width: number,
): void {
  const title = shorten(context, bar.title, bar.hasNaN ? width - 50 : width);
  write(context, titleFont, title, left, top + 0.5 * textHeight, "left", colors);
  if (bar.hasNaN) drawNaN(context, bar, left + width, top + 0.5 * (textHeight - swatch), colors);
}

function drawNaN(context: Context, bar: ScalarBar, right: number, top: number, colors: ThemeColors): void {
  write(context, labelFont, "NaN", right - swatch - gap, top + 0.5 * swatch, "right", colors);
  fillRounded(context, right - swatch, top, swatch, swatch, 3, bar.nanColor);
}

function measure(context: Context, font: string, text: string): number {
  context.font = font;
  return context.measureText(text).width;
}

/** Half the height of digits above the baseline: text engines differ in where a font's own middle is. */
const halfDigit = 0.36 * fontSize;

/** Writes a line of text, whose middle is at `y`. */
function write(
  context: Context,
  font: string,
  text: string,
  x: number,
  y: number,
  align: CanvasTextAlign,
  colors: ThemeColors,
): void {
  context.font = font;
  context.textAlign = align;
  context.fillStyle = cssColor(colors.text);
  context.fillText(text, x, y + halfDigit);
}

/** The title, truncated with an ellipsis to fit. */
function shorten(context: Context, text: string, width: number): string {
  if (measure(context, titleFont, text) <= width) return text;
  let end = text.length;
  while (end > 1 && measure(context, titleFont, `${text.slice(0, end)}…`) > width) end--;
  return `${text.slice(0, end)}…`;
}

function gradientOf(
  context: Context,
  colors: readonly string[],
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): CanvasGradient {
  const gradient = context.createLinearGradient(x0, y0, x1, y1);
  const last = Math.max(1, colors.length - 1);
  for (const [i, color] of colors.entries()) gradient.addColorStop(i / last, color);
  return gradient;
}

/** Of a tick: one line dark, one light, so that it is seen on all colours. */
const tickDark = "rgb(0 0 0 / 75%)";
const tickLight = "rgb(255 255 255 / 75%)";

function fillRect(context: Context, x: number, y: number, width: number, height: number, fill: string): void {
  context.fillStyle = fill;
  context.fillRect(x, y, width, height);
}

function fillRounded(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string | CanvasGradient,
): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fillStyle = fill;
  context.fill();
}
