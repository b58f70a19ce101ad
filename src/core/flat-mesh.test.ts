import { expect, it } from "vitest";
import { flatMesh, ofCorners } from "./flat-mesh.ts";

/** Two triangles of a square's diagonal, folded there, one that is a line, and one far too small and one far too large to square. */
const mesh = {
  positions: Float32Array.of(
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    2,
    0,
    0,
    1e-30,
    0,
    0,
    0,
    1e-30,
    0,
    1e30,
    0,
    0,
    0,
    0,
    1e30,
  ),
  normals: Float32Array.from({ length: 27 }, (_, w) => (w % 3 === 0 ? 1 : 0)),
  scalars: Float32Array.of(0, 10, 20, 30, 40, 50, 60, 70, 80),
  indices: Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4, 1, 4, 4, 0, 5, 6, 0, 7, 8),
};

it("has three vertices a triangle and their facet's normal, or their own where there is none", () => {
  const flat = flatMesh(mesh);
  const corners = [...mesh.indices];
  expect([...flat.indices]).toEqual(corners.map((_, i) => i));
  expect([...(flat.scalars ?? [])]).toEqual(corners.map((v) => 10 * v));
  expect([...flat.positions]).toEqual(corners.flatMap((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)]));
  const facets = [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ];
  expect([...flat.normals].map((x) => x + 0)).toEqual(
    facets.flatMap((normal) => [...normal, ...normal, ...normal]),
  );
});

it("leaves out scalars that there are none of, and spreads anything else", () => {
  expect(flatMesh({ ...mesh, scalars: undefined }).scalars).toBeUndefined();
  expect(ofCorners(Uint8Array.of(1, 2, 3, 4, 5, 6), 3, Uint32Array.of(1, 0, 1))).toEqual(
    Uint8Array.of(4, 5, 6, 1, 2, 3, 4, 5, 6),
  );
});
