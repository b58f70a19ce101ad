import type { Matrix4 } from "./matrix.ts";
import type { Overlay } from "./overlay.ts";
import type { ThemeColors } from "./theme.ts";

const length = 24;
const inset = 44;

/** The directions of x, y and z as three short lines in the lower left corner. */
export function drawTriad(overlay: Overlay, view: Matrix4, height: number, colors: ThemeColors): void {
  const x = inset;
  const y = height - inset;
  const towardsEye = (axis: number) => view[4 * axis + 2];
  for (const axis of [0, 1, 2].sort((a, b) => towardsEye(a) - towardsEye(b))) {
    const dx = view[4 * axis];
    const dy = -view[4 * axis + 1];
    overlay.screenLine(x, y, x + length * dx, y + length * dy, 2, colors.axes[axis]);
    const reach = length + 9;
    overlay.text("xyz"[axis], x + reach * dx, y + reach * dy, colors.axes[axis], colors.background);
  }
}
