import { scalarBarLabels } from "../core/scalar-bar.ts";
import type { ScalarBar } from "../core/view.ts";
import { isBarStanding } from "./free-area.ts";
import { fontFamily } from "./glyph-atlas.ts";
import { cssColor, type ThemeColors } from "./theme.ts";

const labelCount = 5;
const titleFont = '12px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
const labelFont = `12px ${fontFamily}`;
/** CSS pixels. */
const textHeight = 17;
const gap = 7;
const swatch = 13;
/** Between bars. */
const apart = 8;

type Context = OffscreenCanvasRenderingContext2D;

/**
 * Draws scalar bars into the lower right corner of a picture, as the page shows them: title, numbers, colours from low
 * to high, a swatch for NaN where there is any. `width` and `height` are the picture's CSS pixels, of `ratio` pixels
 * each. Bars stand side by side, the first at the right, or lie above each other, the first below, where there is little
 * room; what finds no place is left out.
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
  context.textBaseline = "middle";
  const isStanding = isBarStanding({ width, height });
  let taken = 0;
  for (const bar of bars) {
    if (taken > 0.6 * (isStanding ? width : height)) break;
    taken += isStanding
      ? apart + drawStanding(context, bar, colors, width - taken, height)
      : apart + drawLying(context, bar, colors, width, height - taken);
  }
  context.restore();
}

/** Returns the width that it takes. */
function drawStanding(
  context: Context,
  bar: ScalarBar,
  colors: ThemeColors,
  width: number,
  height: number,
): number {
  const labels = scalarBarLabels(bar.min, bar.max, labelCount);
  const barHeight = Math.min(210, Math.max(90, 0.24 * height));
  const title = shorten(context, bar.title, 150);
  const titleWidth = measure(context, titleFont, title);
  const texts = bar.hasNaN ? [...labels, "NaN"] : labels;
  const labelWidth = Math.max(...texts.map((text) => measure(context, labelFont, text)));
  const innerWidth = Math.max(titleWidth, labelWidth + gap + swatch);
  const innerHeight = textHeight + 14 + barHeight + (bar.hasNaN ? textHeight + 6 : 0);
  const right = width - 14 - 12;
  const top = height - 14 - 14 - innerHeight;
  fillRounded(context, right - innerWidth - 12, top - 8, innerWidth + 24, innerHeight + 22, 8, colors.veil);

  write(context, titleFont, title, right, top + 0.5 * textHeight, "right", colors);
  const left = right - swatch;
  const barTop = top + textHeight + 14;
  const gradient = gradientOf(context, bar.colors, 0, barTop + barHeight, 0, barTop);
  fillRounded(context, left, barTop, swatch, barHeight, 3, gradient);
  for (const [i, label] of labels.entries()) {
    const t = labels.length > 1 ? i / (labels.length - 1) : 0.5;
    write(context, labelFont, label, left - gap, barTop + t * barHeight, "right", colors);
  }
  if (bar.hasNaN) drawNaN(context, bar, right, barTop + barHeight + 10, colors);
  return innerWidth + 24;
}

/** Returns the height that it takes. */
function drawLying(
  context: Context,
  bar: ScalarBar,
  colors: ThemeColors,
  width: number,
  height: number,
): number {
  const labels = scalarBarLabels(bar.min, bar.max, 3).reverse();
  const outerWidth = Math.min(190, 0.5 * width);
  const barHeight = 10;
  const innerWidth = outerWidth - 20;
  const innerHeight = textHeight + 4 + barHeight + 2 + textHeight + (bar.hasNaN ? textHeight + 4 : 0);
  const left = width - 8 - outerWidth + 10;
  const right = left + innerWidth;
  const top = height - 8 - 6 - innerHeight;
  fillRounded(context, left - 10, top - 6, outerWidth, innerHeight + 12, 8, colors.veil);

  const title = shorten(context, bar.title, innerWidth);
  write(context, titleFont, title, left, top + 0.5 * textHeight, "left", colors);
  const barTop = top + textHeight + 4;
  const gradient = gradientOf(context, bar.colors, left, 0, right, 0);
  fillRounded(context, left, barTop, innerWidth, barHeight, 3, gradient);
  const y = barTop + barHeight + 2 + 0.5 * textHeight;
  if (labels.length === 1) {
    write(context, labelFont, labels[0], left + 0.5 * innerWidth, y, "center", colors);
  } else {
    write(context, labelFont, labels[0], left, y, "left", colors);
    write(context, labelFont, labels[1], left + 0.5 * innerWidth, y, "center", colors);
    write(context, labelFont, labels[2], right, y, "right", colors);
  }
  if (bar.hasNaN) drawNaN(context, bar, right, top + innerHeight - 0.5 * (textHeight + swatch), colors);
  return innerHeight + 12;
}

function drawNaN(context: Context, bar: ScalarBar, right: number, top: number, colors: ThemeColors): void {
  write(context, labelFont, "NaN", right - swatch - gap, top + 0.5 * swatch, "right", colors);
  fillRounded(context, right - swatch, top, swatch, swatch, 3, bar.nanColor);
}

function measure(context: Context, font: string, text: string): number {
  context.font = font;
  return context.measureText(text).width;
}

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
  context.fillText(text, x, y);
}

/** The title, or as much of it as fits with an ellipsis. */
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

function fillRounded(
  context: Context,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string | CanvasGradient | ThemeColors["veil"],
): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fillStyle = typeof fill === "string" || fill instanceof CanvasGradient ? fill : cssColor(fill);
  context.fill();
}
