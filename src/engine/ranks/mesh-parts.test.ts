import { expect, it } from "vitest";
import { wholeBox } from "../../core/box.ts";
import { isInBox, placeInBox } from "../../core/box-values.ts";
import { cellDims, type Grid } from "../../core/grid.ts";
import { edgeWord, vertexWords } from "../../core/marching-cubes/surface-records.ts";
import { welding } from "../../core/marching-cubes/weld.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { measuringArea } from "../../core/mesh-measures.ts";
import { trianglesWhere } from "../../core/mesh-subset.ts";
import type { Steps } from "../../core/steps.ts";
import { cellsOfBlocks } from "./blocks.ts";
import { bordersOf, joinParts } from "./mesh-parts.ts";

/** A plane through n × n nodes, halfway between two layers of a grid: 2 (n − 1)² triangles. */
function sheet(n: number): { readonly grid: Grid; readonly mesh: TriangleMesh } {
  const positions = new Float32Array(3 * n * n);
  const normals = new Float32Array(3 * n * n);
  for (let v = 0; v < n * n; v++) {
    positions.set([v % n, Math.floor(v / n), 0.5], 3 * v);
    normals[3 * v + 2] = 1;
  }
  const indices = new Uint32Array(6 * (n - 1) ** 2);
  for (let y = 0, at = 0; y < n - 1; y++) {
    for (let x = 0; x < n - 1; x++, at += 6) {
      const v = x + n * y;
      indices.set([v, v + 1, v + n, v + 1, v + n + 1, v + n], at);
    }
  }
  const grid = { kind: "uniform", dims: [n, n, 2], origin: [0, 0, 0], spacing: [1, 1, 1] } as const;
  return { grid, mesh: { positions, normals, scalars: undefined, indices } };
}

it("is finished in steps that are short beside the whole, so that a cancel never waits for long", () => {
  const n = 700;
  const { grid, mesh } = sheet(n);
  const vertices = new Uint32Array(n * n * vertexWords);
  for (let v = 0; v < n * n; v++) vertices[v * vertexWords + edgeWord] = n * n - v;
  const durations: number[] = [];
  /** Milliseconds on a core: others may have it meanwhile. */
  const onCore = () => process.cpuUsage().user / 1000;
  function timed<R>(steps: Steps<R>): R {
    for (;;) {
      const start = onCore();
      const { done, value } = steps.next();
      durations.push(onCore() - start);
      if (done) return value;
    }
  }
  const shares = cellsOfBlocks(grid, [2, 2, 1]);
  const edges = Uint32Array.from({ length: n * n }, (_, v) => 3 * v + 2);
  const parts = shares.map((cells) => {
    // Two triangles for each cell.
    const isOwn = (t: number) => isInBox(cells, placeInBox(wholeBox(cellDims(grid)), t >> 1));
    const part = timed(trianglesWhere(mesh, isOwn));
    timed(bordersOf({ ...mesh, edges }, grid, cells, wholeBox(grid.dims)));
    return { ...part, borders: new Float64Array(0) };
  });
  const joined = timed(joinParts(parts, grid, shares));
  const welded = timed(
    welding(
      { vertices: vertices.buffer, indices: mesh.indices },
      { center: [0, 0, 0], scalarOffset: undefined },
    ),
  );
  for (const whole of [joined, welded]) {
    expect(whole.positions.length).toBe(mesh.positions.length);
    expect(whole.indices.length).toBe(mesh.indices.length);
  }
  expect(timed(measuringArea(joined))).toBe((n - 1) ** 2);
  const total = durations.reduce((sum, ms) => sum + ms, 0);
  expect(Math.max(...durations)).toBeLessThan(total / 5);
});
