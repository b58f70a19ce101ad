import { describe, expect, it } from "vitest";
import { contourLoops, faceSegments } from "./contour.ts";
import { edgeHigh, edgeLow, faces } from "./cube.ts";
import { caseTable, maxTriangles } from "./table.ts";
import { isFaceChord, triangulateLoop } from "./triangulate.ts";

const cases = Array.from({ length: 256 }, (_, above) => above);

function trianglesOf(above: number): number[][] {
  const first = above * 3 * maxTriangles;
  return Array.from({ length: caseTable().counts[above] }, (_, t) =>
    Array.from(caseTable().edges.subarray(first + 3 * t, first + 3 * t + 3)),
  );
}

const middle = (edge: number) =>
  [0, 1, 2].map((axis) => (((edgeLow[edge] >> axis) & 1) + ((edgeHigh[edge] >> axis) & 1)) / 2);

describe("the case table", () => {
  it("has 820 triangles in all and none without a cut edge", () => {
    expect(caseTable().counts.reduce((a, b) => a + b, 0)).toBe(820);
    expect([caseTable().counts[0], caseTable().counts[255]]).toEqual([0, 0]);
    expect(Math.max(...caseTable().counts)).toBe(maxTriangles);
  });

  it("uses each case's cut edges, all of them, and no other", () => {
    for (const above of cases) {
      const cut = edgeLow.flatMap((low, e) =>
        ((above >> low) & 1) !== ((above >> edgeHigh[e]) & 1) ? [e] : [],
      );
      expect([...new Set(trianglesOf(above).flat())].sort((a, b) => a - b)).toEqual(cut);
    }
  });

  it("borders each cell's patch exactly by its face segments, each once and against its direction", () => {
    for (const above of cases) {
      const open = new Map<string, number>();
      for (const [a, b, c] of trianglesOf(above)) {
        for (const [p, q] of [
          [a, b],
          [b, c],
          [c, a],
        ]) {
          const back = `${q}-${p}`;
          if (open.get(back)) open.set(back, open.get(back)! - 1);
          else open.set(`${p}-${q}`, (open.get(`${p}-${q}`) ?? 0) + 1);
        }
      }
      const border = [...open].filter(([, n]) => n > 0).map(([key, n]) => `${key}×${n}`);
      const expected = faces.flatMap((f) => faceSegments(f, above)).map(([p, q]) => `${q}-${p}×1`);
      expect(border.sort()).toEqual(expected.sort());
    }
  });

  it("agrees across every face with every neighbour that has the same corners there", () => {
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = [faces[2 * axis], faces[2 * axis + 1]];
      const onHigh = high.reduce((bits, c) => bits | (1 << c), 0);
      const sides = (above: number, face: readonly number[], shift: number) =>
        faceSegments(face, above)
          .map(([p, q]) => [p, q].map((e) => (edgeLow[e] & ~(shift << axis)) * 8 + (e >> 2)))
          .map(([p, q]) => (shift ? `${p}>${q}` : `${q}>${p}`))
          .sort();
      for (const here of cases) {
        for (const there of cases) {
          if ((here & onHigh) >> (1 << axis) !== (there & (onHigh >> (1 << axis)))) continue;
          expect(sides(here, high, 1)).toEqual(sides(there, low, 0));
        }
      }
    }
  });

  it("keeps inner edges out of the faces, where a neighbour could have the same one", () => {
    for (const above of cases) {
      for (const loop of contourLoops(above)) {
        for (const triangle of triangulateLoop(loop)) {
          for (let k = 0; k < 3; k++) {
            const [p, q] = [triangle[k], triangle[(k + 1) % 3]];
            const step = Math.abs(loop.indexOf(p) - loop.indexOf(q));
            if (step !== 1 && step !== loop.length - 1) expect(isFaceChord(p, q)).toBe(false);
          }
        }
      }
    }
  });

  it("turns the triangles of a single corner counter-clockwise seen from below the isovalue", () => {
    for (let corner = 0; corner < 8; corner++) {
      for (const above of [1 << corner, 255 ^ (1 << corner)]) {
        const [[a, b, c]] = trianglesOf(above);
        const [p, q, r] = [middle(a), middle(b), middle(c)];
        const u = q.map((x, i) => x - p[i]);
        const v = r.map((x, i) => x - p[i]);
        const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const towards = [0, 1, 2].map((axis) => (((corner >> axis) & 1) === 1 ? 1 : -1));
        const dot = normal.reduce((sum, x, i) => sum + x * towards[i], 0);
        expect(Math.sign(dot)).toBe(above === 1 << corner ? -1 : 1);
      }
    }
  });
});
