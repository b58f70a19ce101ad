import { describe, expect, it } from "vitest";
import { type DataSet, makeField } from "../../../../core/field.ts";
import { type Centering, type Triple, valueDims } from "../../../../core/grid.ts";
import type { Run } from "../../execute/testing/analytic.ts";
import { dataSetOf, uniformGrid } from "../../execute/testing/data-sets.ts";

type Place = readonly [i: number, j: number, k: number];

/** A value that encodes its place. */
const numberAt = ([i, j, k]: Place): number => i + 10 * j + 100 * k;
const modulo = (a: number, n: number): number => ((a % n) + n) % n;

/** The value of each place, made of the place that it comes from. */
function taken(dims: Triple, from: (place: Place) => Place): number[] {
  const values: number[] = [];
  for (let k = 0; k < dims[2]; k++)
    for (let j = 0; j < dims[1]; j++)
      for (let i = 0; i < dims[0]; i++) {
        const [a, b, c] = from([i, j, k]);
        values.push(numberAt([modulo(a, dims[0]), modulo(b, dims[1]), modulo(c, dims[2])]));
      }
  return values;
}

/** A grid with equally many nodes along x and y, f at its nodes or in its cells. */
export function numberedData(centering: Centering, dims: Triple = [4, 4, 3]): DataSet {
  const grid = uniformGrid(dims);
  const values = taken(valueDims(grid, centering), (place) => place);
  return dataSetOf(grid, makeField(grid, "f", centering, 1, Float32Array.from(values)));
}

/** Statements of f, and the place that each result's value comes from. */
export const moves: readonly (readonly [text: string, from: (place: Place, dims: Triple) => Place])[] = [
  ["shift(f, {1, 0, 0})", ([i, j, k]) => [i - 1, j, k]],
  ["shift(f, {-9, 2, 1})", ([i, j, k]) => [i + 9, j - 2, k - 1]],
  ["flip(f, x)", ([i, j, k], [nx]) => [nx - 1 - i, j, k]],
  ["flip(f, z, y)", ([i, j, k], [, ny, nz]) => [i, ny - 1 - j, nz - 1 - k]],
  ["transpose(f, y, x)", ([i, j, k]) => [j, i, k]],
  ["shift(flip(transpose(f, x, y), x), {0, 1, -1})", ([i, j, k], [nx]) => [j - 1, nx - 1 - i, k + 1]],
  ["shift(shift(f, {3, 1, 0}), {-3, -1})", (place) => place],
];

export const movedValues = (data: DataSet, from: (typeof moves)[number][1]): number[] => {
  const dims = valueDims(data.grid, data.fields[0].centering);
  return taken(dims, (place) => from(place, dims));
};

/** Every strategy must give these values. */
export function describeMoveCases(run: Run): void {
  describe("shift, flip and transpose", () => {
    it.each(["node", "cell"] as const)(
      "take values of each %s from where they are said to be",
      async (centering) => {
        const data = numberedData(centering);
        const got = await run(moves.map(([text], n) => `r${n} = ${text}`).join("\n"), data);
        for (const [n, [text, from]] of moves.entries())
          expect([...Array.from(got[`r${n}`])], text).toEqual(movedValues(data, from));
      },
    );

    it("move vectors with their components, and values that are computed before them", async () => {
      const data = numberedData("node");
      const got = await run(
        "v = shift({f, f * f, 1} * 2, {1, 0, 0}); d = gradient(shift(f, {0, 1, 0}))[0]",
        data,
      );
      const shifted = movedValues(data, ([i, j, k]) => [i - 1, j, k]);
      expect([...Array.from(got.v)]).toEqual(shifted.flatMap((f) => [2 * f, 2 * f * f, 2]));
      // Along x the step is 1 / 3, and f grows by 1 a step wherever y is moved to.
      expect([...Array.from(got.d)].every((slope) => Math.abs(slope - 3) < 1e-4)).toBe(true);
    });

    it("refuse to exchange axes of different lengths", async () => {
      await expect(run("r = 1 + transpose(f, x, z)", numberedData("node"))).rejects.toThrow(
        "Axes of 4 and 3 nodes cannot change places, since the values are to stay on their grid (line 1, column 9). Use crinkle transform, which makes a grid of the new shape.",
      );
    });
  });
}
