import { scalarBarLabels } from "../core/scalar-bar.ts";
import type { ScalarBar } from "../core/view.ts";
import { fontFamily } from "./glyph-atlas.ts";
import { cssColor, type ThemeColors } from "./theme.ts";

/** CSS pixels, as the page lays its scalar bar out. */
const inset = 14;
const paddingX = 10;
const paddingY = 8;
const titleHeight = 26;
const widestTitle = 180;
const barWidth = 13;
const gap = 7;
const swatchRow = 28;
const labelCount = 5;
const titleFont = '12px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
const labelFont = `12px ${fontFamily}`;

/**
 * Draws the scalar bar into the lower right corner of a picture, as it stands on the page: title, numbers, colours
 * from low (bottom) to high, a swatch for NaN where the surface has any. `width` and `height` are the picture's
 * CSS pixels, of `ratio` pixels each.
 */
export function drawLegend(
  context: OffscreenCanvasRenderingContext2D,
  bar: ScalarBar,
  colors: ThemeColors,
  width: number,
  height: number,
  ratio: number,
): void {
  context.save();
  context.scale(ratio, ratio);
  context.textBaseline = "middle";
  const labels = scalarBarLabels(bar.min, bar.max, labelCount);
  const barHeight = Math.min(210, Math.max(90, 0.24 * height));

  context.font = titleFont;
  const title = shorten(context, bar.title, widestTitle);
  const titleWidth = context.measureText(title).width;
  context.font = labelFont;
  const texts = bar.hasNaN ? [...labels, "NaN"] : labels;
  const labelWidth = Math.max(...texts.map((text) => context.measureText(text).width));
  const innerWidth = Math.max(titleWidth, labelWidth + gap + barWidth);
  const innerHeight = titleHeight + barHeight + (bar.hasNaN ? swatchRow : 4);

  const right = width - inset - paddingX;
  const top = height - inset - paddingY - innerHeight;
  fillRounded(
    context,
    right - innerWidth - paddingX,
    top - paddingY,
    innerWidth + 2 * paddingX,
    innerHeight + 2 * paddingY,
    8,
    cssColor(colors.veil),
  );

  context.textAlign = "right";
  context.fillStyle = cssColor(colors.text);
  context.font = titleFont;
  context.fillText(title, right, top + 8);

  const left = right - barWidth;
  const barTop = top + titleHeight;
  const gradient = context.createLinearGradient(0, barTop + barHeight, 0, barTop);
  for (const [i, color] of bar.colors.entries()) {
    gradient.addColorStop(bar.colors.length > 1 ? i / (bar.colors.length - 1) : 0, color);
  }
  fillRounded(context, left, barTop, barWidth, barHeight, 3, gradient);

  context.font = labelFont;
  context.fillStyle = cssColor(colors.text);
  for (const [i, label] of labels.entries()) {
    const t = labels.length > 1 ? i / (labels.length - 1) : 0.5;
    context.fillText(label, left - gap, barTop + t * barHeight);
  }
  if (bar.hasNaN) {
    const y = barTop + barHeight + swatchRow - barWidth;
    context.fillText("NaN", left - gap, y + 0.5 * barWidth);
    fillRounded(context, left, y, barWidth, barWidth, 3, bar.nanColor);
  }
  context.restore();
}

/** The text, or as much of it as fits with an ellipsis. */
function shorten(context: OffscreenCanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function fillRounded(
  context: OffscreenCanvasRenderingContext2D,
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
