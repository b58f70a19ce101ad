import type { ScreenBox } from "./box-layout.ts";
import type { Matrix4 } from "./matrix.ts";
import type { Overlay } from "./overlay.ts";
import type { ThemeColors } from "./theme.ts";

const length = 24;
/** From an axis' end to the middle of its letter. */
const letterGap = 9;
/** Half of a letter's space. */
const letter = 8;
/** Gap between the mark and the view's edges. */
const margin = 8;

/** The mark's origin in a view, and the rectangle it fills, in CSS pixels from the upper left. */
export interface TriadPlace extends ScreenBox {
  readonly originX: number;
  readonly originY: number;
}

/** Places the mark as near to the lower left corner as its directions allow. */
export function placeTriad(view: Matrix4, height: number): TriadPlace {
  const reach = length + letterGap;
  const ends = (sign: number, row: number) => [0, 1, 2].map((axis) => sign * reach * view[4 * axis + row]);
  const left = Math.max(0, ...ends(-1, 0)) + letter;
  const right = Math.max(0, ...ends(1, 0)) + letter;
  const up = Math.max(0, ...ends(1, 1)) + letter;
  const down = Math.max(0, ...ends(-1, 1)) + letter;
  return {
    originX: margin + left,
    originY: height - margin - down,
    x: margin + 0.5 * (left + right),
    y: height - margin - 0.5 * (up + down),
    width: left + right,
    height: up + down,
  };
}

/** Draws the directions of x, y and z as three short lines. */
export function drawTriad(
  overlay: Overlay,
  view: Matrix4,
  { originX: x, originY: y }: TriadPlace,
  colors: ThemeColors,
): void {
  const towardsEye = (axis: number) => view[4 * axis + 2];
  for (const axis of [0, 1, 2].sort((a, b) => towardsEye(a) - towardsEye(b))) {
    const dx = view[4 * axis];
    const dy = -view[4 * axis + 1];
    overlay.screenLine(x, y, x + length * dx, y + length * dy, 2, colors.axes[axis]);
    const reach = length + letterGap;
    overlay.text("xyz"[axis], x + reach * dx, y + reach * dy, colors.axes[axis], colors.background);
  }
}
