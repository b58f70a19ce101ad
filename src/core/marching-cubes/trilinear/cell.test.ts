import { describe, expect, it } from "vitest";
import { contourLoops, faceSegments } from "../contour.ts";
import { edgeFaces, faces } from "../cube.ts";
import { caseTable, maxTriangles } from "../table.ts";
import { type CellSurface, isOpenCase, trilinearSurface } from "./cell.ts";
import { ambiguousFaces, joinedFaces } from "./faces.ts";
import { firstInner, maxInner } from "./patch.ts";
import { cornerWeights } from "./place.ts";
import { aboveOf, randoms, trianglesOf, valuesOf } from "./testing/cells.ts";

/** How often each directed edge is there. */
function directedEdges(patch: CellSurface): Map<string, number> {
  const counts = new Map<string, number>();
  for (const triangle of trianglesOf(patch)) {
    for (const [k, p] of triangle.entries()) {
      const key = `${p}>${triangle[(k + 1) % 3]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

const reversed = (edge: string) => edge.split(">").reverse().join(">");

/** Vertices − edges + triangles. */
function eulerOf(patch: CellSurface): number {
  const triangles = trianglesOf(patch);
  const edges = new Set([...directedEdges(patch).keys()].map((e) => [e, reversed(e)].sort()[0]));
  return new Set(triangles.flat()).size - edges.size + triangles.length;
}

/** Fails unless the patch's border runs against the faces' segments, and its inner edges are in two triangles and in no face. */
function check(patch: CellSurface, above: number, joined: number): void {
  const expected = faces.flatMap((corners, face) =>
    faceSegments(corners, above, ((joined >> face) & 1) === 1).map(([p, q]) => `${q}>${p}`),
  );
  const edges = directedEdges(patch);
  const border = [...edges.keys()].filter((edge) => !edges.has(reversed(edge)));
  expect(border.sort()).toEqual(expected.sort());
  expect(Math.max(...edges.values())).toBe(1);
  for (const edge of edges.keys()) {
    if (!edges.has(reversed(edge))) continue;
    const [p, q] = edge.split(">").map(Number);
    if (p < firstInner && q < firstInner) expect(edgeFaces[p] & edgeFaces[q]).toBe(0);
  }
  expect(patch.inner.length).toBeLessThanOrEqual(maxInner);
}

/** The 48 ways to turn and mirror the cell: where each corner goes. */
const symmetries: readonly (readonly number[])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].flatMap((axes) =>
  Array.from({ length: 8 }, (_, mirrored) =>
    Array.from(
      { length: 8 },
      (_, corner) => axes.reduce((to, axis, d) => to | (((corner >> d) & 1) << axis), 0) ^ mirrored,
    ),
  ),
);

const case13 = [0b01101001, 0b10010110];

describe("the surface in a cell", () => {
  it("is bordered by the faces' segments and manifold, in every case and for every decision", () => {
    const random = randoms(1);
    const decisions = new Set<number>();
    const patches = new Set<readonly number[]>();
    for (let above = 0; above < 256; above++) {
      if (!isOpenCase[above]) continue;
      for (let run = case13.includes(above) ? 0 : 2200; run < 3000; run++) {
        const values = valuesOf(above, random);
        const patch = trilinearSurface(above, values);
        if (patches.has(patch.triangles)) continue;
        patches.add(patch.triangles);
        const joined = joinedFaces(above, values);
        decisions.add(above | (joined << 8));
        check(patch, above, joined);
        const loops = contourLoops(above, joined).length;
        expect([loops, loops - 2]).toContain(eulerOf(patch));
      }
    }
    // Of the 528 ways to decide 128 cases' faces, 2 · 18 cannot be: where corners alternate throughout, the values'
    // products over two opposite faces are the same for all axes, so that no axis can have both faces joined while
    // another has both separated.
    expect(decisions.size).toBe(492);
    // And those with a tunnel.
    expect(patches.size).toBeGreaterThan(600);
  });

  it("has the same topology however the cell is turned or mirrored, with values of 0 too", () => {
    const random = randoms(2);
    for (let run = 0; run < 400; run++) {
      const values = Array.from({ length: 8 }, () => Math.floor(7 * random()) - 3);
      const topologies = symmetries.map((to) => {
        const turned = [...values];
        for (const [corner, value] of values.entries()) turned[to[corner]] = value;
        const above = aboveOf(turned);
        const loops = contourLoops(above, joinedFaces(above, turned)).map((loop) => loop.length);
        return `${eulerOf(trilinearSurface(above, turned))} of ${loops.sort()}`;
      });
      expect(new Set(topologies).size, `${values}`).toBe(1);
    }
  });

  it("has the topology of a slightly higher isovalue where values, saddles or discriminants are 0", () => {
    const random = randoms(4);
    for (let run = 0; run < 3000; run++) {
      const values = Array.from({ length: 8 }, () => Math.floor(5 * random()) - 2);
      const topologies = [0, 1e-7].map((rise) => {
        const raised = values.map((value) => value - rise);
        const above = aboveOf(raised);
        const loops = contourLoops(above, joinedFaces(above, raised));
        return `${eulerOf(trilinearSurface(above, raised))} of ${JSON.stringify(loops)}`;
      });
      expect(topologies[0], `${values}`).toBe(topologies[1]);
    }
  });

  it("has its inner vertices near where the interpolant is 0", () => {
    const random = randoms(3);
    let worst = 0;
    for (let above = 0; above < 256; above++) {
      if (!isOpenCase[above]) continue;
      for (let run = 0; run < 100; run++) {
        const values = valuesOf(above, random);
        for (const place of trilinearSurface(above, values).inner) {
          expect(place.every((x) => x > 0 && x < 1)).toBe(true);
          const value = cornerWeights(place).reduce((sum, weight, c) => sum + weight * values[c], 0);
          worst = Math.max(worst, Math.abs(value) / Math.max(...values.map(Math.abs)));
        }
      }
    }
    expect(worst).toBeLessThan(0.05);
  });

  it.each([
    ["joins opposite corners through the middle", [1, -0.1, -0.1, -0.1, -0.1, -0.1, -0.1, 1], 0],
    ["keeps opposite corners apart", [1, -1, -1, -1, -1, -1, -1, 1], 2],
  ] as const)("%s", (_, values, euler) => {
    expect(eulerOf(trilinearSurface(aboveOf(values), values))).toBe(euler);
    const opposite = values.map((value) => -value);
    expect(eulerOf(trilinearSurface(aboveOf(opposite), opposite))).toBe(euler);
  });

  // Cells that have been published as examples of hard ones (with Grosso 2016), rounded.
  it.each([
    ["6", 1, 0.0387, [-0.96, 0.793, 0.917, -0.423, -0.935, -0.85, -0.0367, -0.657]],
    ["7", 1, 9.8588, [10.297, 9.451, 9.548, 10.648, 9.815, 9.312, 9.81, 10.745]],
    ["8", 1, 0.0097, [0.455, 0.801, 0.65, -0.974, -0.134, -0.0845, -0.826, 0.433]],
    ["9", 1, -1.8061, [-15.65, 2.903, 24.546, -24.527, 21.674, -4.497, -19.789, -15.559]],
    ["12", 1, 0.0293, [0.547, -0.421, -0.643, 0.856, -0.261, 0.206, 0.237, -0.183]],
    ["12", 1, 1007.4, [1069, 843, 950, 1133, 958, 1029, 1198, 946]],
    ["3+3", 0, -1.766, [-7.7, -3.22, -5.44, 15.61, 12.76, -4.47, -11.72, -9.23]],
    ["3+6", 0, -0.6, [-3.427, 0.621, 4.481, -1.956, 2.304, -1.042, -3.511, -6.45]],
    ["4+4", 0, 1.10918, [-0.1, -6.11, 2, 10.2, 10.8, 1.8, -8.2, -0.18]],
    ["3+5", 0, 0.0708, [-3.378, 0.473, 2.543, 7.877, 4.387, -1.5, -4.21, -1.002]],
    ["3+3+6", 1, -1.3064, [2.747, -3.392, -12.53, 0.4315, -6.925, 2.522, 14.695, -10.073]],
    ["3+3+6", 3, 0.0293, [0.5205, -0.8398, -0.4675, 0.9378, -0.8258, 0.5067, 0.3453, -0.8611]],
  ])("with loops of %s edges has Euler characteristic %d", (loops, euler, isovalue, corners) => {
    const values = corners.map((value) => value - isovalue);
    const above = aboveOf(values);
    const lengths = contourLoops(above, joinedFaces(above, values)).map((loop) => loop.length);
    expect(lengths.sort().join("+")).toBe(loops);
    expect(eulerOf(trilinearSurface(above, values))).toBe(euler);
  });
});

describe("faces", () => {
  it("join their corners above where the saddle is above, and not where it is 0", () => {
    // On the lower z face: corners 0 and 3 above, 1 and 2 below.
    for (const [diagonal, isJoined] of [
      [1.01, true],
      [1, false],
      [0.99, false],
    ] as const) {
      const values = [diagonal, -1, -1, 1, -5, -5, -5, -5];
      expect(joinedFaces(aboveOf(values), values) !== 0).toBe(isJoined);
    }
  });

  it("leave as the table has it what they separate", () => {
    for (let above = 0; above < 256; above++) {
      const values = Array.from({ length: 8 }, (_, c) => (((above >> c) & 1) === 1 ? 0.1 : -9));
      expect(joinedFaces(above, values)).toBe(0);
      if (ambiguousFaces[above] === 0) continue;
      expect(trilinearSurface(above, values)).toMatchObject({ inner: [] });
      const triangles = caseTable()
        .edges.subarray(3 * maxTriangles * above)
        .subarray(0, 3 * caseTable().counts[above]);
      expect(trilinearSurface(above, values).triangles).toEqual([...triangles]);
    }
  });
});
