import type { Triple } from "../core/grid.ts";
import { type BoxLayout, type LabelledBox, tickLength } from "./box-layout.ts";
import type { Matrix4 } from "./matrix.ts";
import type { Overlay } from "./overlay.ts";
import type { ThemeColors } from "./theme.ts";

/** Draws the box's edges, a faint grid on the walls behind the data, ticks and labels. */
export function drawBox(
  overlay: Overlay,
  box: LabelledBox,
  layout: BoxLayout,
  matrix: Matrix4,
  eye: Triple,
  colors: ThemeColors,
): void {
  drawWalls(overlay, box.half, layout.tickPositions, matrix, eye, colors);
  for (const { kind, from, to } of layout.edges) {
    overlay.line(matrix, from, to, 1.25, kind === "front" ? colors.frontEdge : colors.edge);
  }
  for (const { x, y, outX, outY } of layout.ticks) {
    overlay.screenLine(x, y, x + tickLength * outX, y + tickLength * outY, 1.25, colors.edge);
  }
  for (const { text, x, y, isTitle } of layout.labels) {
    overlay.text(text, x, y, isTitle ? colors.text : colors.mutedText, colors.background);
  }
}

/** Lines at the ticks on each face that looks away from the eye. */
function drawWalls(
  overlay: Overlay,
  half: Triple,
  tickPositions: BoxLayout["tickPositions"],
  matrix: Matrix4,
  eye: Triple,
  colors: ThemeColors,
): void {
  for (let axis = 0; axis < 3; axis++) {
    for (const side of half[axis] === 0 ? [0] : [-1, 1]) {
      if (side * eye[axis] > half[axis]) continue;
      for (const [along, across] of [
        [(axis + 1) % 3, (axis + 2) % 3],
        [(axis + 2) % 3, (axis + 1) % 3],
      ]) {
        for (const position of tickPositions[along]) {
          const from = [0, 0, 0];
          from[axis] = side * half[axis];
          from[along] = position;
          from[across] = -half[across];
          const to = from.slice();
          to[across] = half[across];
          overlay.line(matrix, from, to, 1, colors.grid);
        }
      }
    }
  }
}
