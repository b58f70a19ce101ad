import type { ValueType } from "../types.ts";
import type { Move, StencilFilter, StencilLoop, StencilOverload } from "./filter.ts";
import { keepsAxis, parseMove, printMove } from "./moves.ts";

/** Moves are called by where they take values from: `moved:x-1,-y-1,z`. */
export const movedFamily = "moved";

export const movedName = (move: Move): string => `${movedFamily}:${printMove(move)}`;

const types: readonly ValueType[] = ["scalar", "vec2", "vec3", "mat3"];

const modulo = (x: number, n: number): number => ((x % n) + n) % n;

/** Copies values row by row; along a row of the result one index of the source goes up or down, and around. */
const copying =
  (move: Move): StencilLoop =>
  ({ dims, values, components, stride = components, offset = 0 }, first, count, out) => {
    const [nx, ny] = dims;
    const steps = [stride, nx * stride, nx * ny * stride];
    const along = move.findIndex(({ from }) => from === 0);
    const [step, length] = [steps[along], dims[along]];
    const direction = move[along].isFlipped ? -1 : 1;
    for (let to = 0, cells = 0; to < count; to += cells) {
      const i = (first + to) % nx;
      const row = (first + to - i) / nx;
      cells = Math.min(nx - i, count - to);
      const place = [i, row % ny, Math.floor(row / ny)];
      const source = move.map(({ from, isFlipped, by }, axis) =>
        modulo((isFlipped ? -place[from] : place[from]) + by, dims[axis]),
      );
      const start = steps.reduce(
        (sum, each, axis) => (axis === along ? sum : sum + source[axis] * each),
        offset,
      );
      let at = source[along];
      for (let e = 0, here = to * components; e < cells; e++) {
        for (let c = 0; c < components; c++) out[here++] = values[start + at * step + c];
        at += direction;
        if (at === length) at = 0;
        else if (at < 0) at = length - 1;
      }
    }
  };

/** The filter that takes values from where such a text says, if it says so. */
export function movedBy(text: string): StencilFilter | undefined {
  const move = parseMove(text);
  return move && filterOf(move);
}

function filterOf(move: Move): StencilFilter {
  return {
    kind: "stencil",
    name: movedName(move),
    internal: true,
    doc: {
      signature: `${movedFamily}(f)`,
      summary: "Values at other places of the grid.",
      example: "shift(p, {1, 0, 0})",
      group: "Layouts",
    },
    overloads: types.map(
      (type): StencilOverload => ({
        inputs: [type],
        output: type,
        radius: keepsAxis(move, 2) ? 0 : Number.POSITIVE_INFINITY,
        // A text would take a remainder for each index of each element: this goes along rows.
        loop: copying(move),
      }),
    ),
    move,
  };
}
