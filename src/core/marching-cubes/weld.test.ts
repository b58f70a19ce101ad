import { expect, it } from "vitest";
import type { SurfaceRecords } from "./surface-records.ts";
import { weld } from "./weld.ts";

/** Records with the edge's number as x and as scalar. */
function records(edges: readonly number[], indices: readonly number[]): SurfaceRecords {
  const vertices = new ArrayBuffer(32 * edges.length);
  const values = new Float32Array(vertices);
  edges.forEach((edge, v) => {
    values.set([edge, 1, 2, 0, 0, 1, edge], 8 * v);
    new Uint32Array(vertices)[8 * v + 7] = edge;
  });
  return { vertices, indices: Uint32Array.from(indices) };
}

it("joins vertices of one edge, drops unused ones, and gives equal meshes whatever the order", () => {
  const options = { center: [10, 0, -2], scalarOffset: 100 } as const;
  const mesh = weld(records([7, 3, 9, 3, 8, 1], [0, 1, 2, 4, 3, 0]), options);
  expect([...mesh.positions]).toEqual([13, 1, 0, 17, 1, 0, 18, 1, 0, 19, 1, 0]);
  expect([...mesh.normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expect([...(mesh.scalars ?? [])]).toEqual([103, 107, 108, 109]);
  expect([...mesh.indices]).toEqual([0, 1, 2, 0, 3, 1]);
  expect(weld(records([3, 9, 8, 7, 7, 3], [5, 4, 2, 1, 3, 0]), options)).toEqual(mesh);
});

it("leaves scalars out where there is no colour", () => {
  const mesh = weld(records([1, 2, 3], [0, 1, 2]), { center: [0, 0, 0], scalarOffset: undefined });
  expect(mesh.scalars).toBeUndefined();
});
