import { expect, it } from "vitest";
import { contourLoops } from "../contour.ts";
import { edgeHigh, edgeLow } from "../cube.ts";
import { isOpenCase, trilinearSurface } from "./cell.ts";
import { joinedFaces } from "./faces.ts";
import { randoms, trianglesOf, valuesOf } from "./testing/cells.ts";

type Place = readonly number[];

const minus = (a: Place, b: Place) => a.map((x, d) => x - b[d]);
const cross = (a: Place, b: Place) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Place, b: Place) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Whether the inside of a segment meets the inside of a triangle. */
function pierces(p: Place, q: Place, triangle: readonly Place[]): boolean {
  const [a, b, c] = triangle;
  const normal = cross(minus(b, a), minus(c, a));
  const [before, after] = [dot(normal, minus(p, a)), dot(normal, minus(q, a))];
  if (before * after >= -1e-14) return false;
  const t = before / (before - after);
  const x = p.map((v, d) => v + t * (q[d] - v));
  const sides = triangle.map((u, k) => dot(normal, cross(minus(triangle[(k + 1) % 3], u), minus(x, u))));
  return sides.every((side) => side > 1e-9) || sides.every((side) => side < -1e-9);
}

/** Crossings of the cell's edges at their values, 0 where they are not cut. */
const crossingsOf = (values: readonly number[]): Place[] =>
  edgeLow.map((low, edge) => {
    const share = values[low] / (values[low] - values[edgeHigh[edge]]);
    return [0, 1, 2].map((d) => ((low >> d) & 1) + (d === edge >> 2 ? share : 0));
  });

it("does not cross itself in the cell, tunnels included", () => {
  const random = randoms(6);
  const seen = new Map<string, number>();
  for (let run = 0; run < 24_000; run++) {
    const above = Math.floor(256 * random());
    if (!isOpenCase[above]) continue;
    const values = valuesOf(above, random);
    const surface = trilinearSurface(above, values);
    const kind = `${contourLoops(above, joinedFaces(above, values)).map((loop) => loop.length)}${surface.inner.length}`;
    const count = seen.get(kind) ?? 0;
    if (count >= 20) continue;
    seen.set(kind, count + 1);
    const places = [...crossingsOf(values), ...surface.inner];
    const triangles = trianglesOf(surface);
    const isCrossed = triangles.some((one) =>
      one.some((p, k) => {
        const q = one[(k + 1) % 3];
        return triangles.some(
          (other) =>
            !other.includes(p) &&
            !other.includes(q) &&
            pierces(
              places[p],
              places[q],
              other.map((vertex) => places[vertex]),
            ),
        );
      }),
    );
    expect(isCrossed, `${values}`).toBe(false);
  }
  for (const tunnel of ["3,36", "3,46", "4,46", "3,56", "3,66"]) expect([...seen.keys()]).toContain(tunnel);
});
