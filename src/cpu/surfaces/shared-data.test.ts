import { describe, expect, it } from "vitest";
import { type Field, fieldNamed } from "../../core/field.ts";
import { noJob } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { countEdges, meshBounds, surfaceArea } from "../../core/mesh-measures.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { sharedData } from "../../core/testing/shared-data.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import { isosurface } from "./isosurface.ts";

interface Oracle {
  readonly isovalue: number;
  readonly triangles: number;
  readonly vertices: number;
  readonly parts: number;
  readonly area: number;
  readonly bounds: readonly number[];
  readonly mean: readonly number[];
}

/**
 * vtkFlyingEdges3D of VTK 9.1: counts, connected parts (vtkConnectivityFilter), area (vtkMassProperties), bounds, and
 * the vertices' mean. VTK counts a value equal to the isovalue as above and we as below, so the isovalues lie
 * between the values that occur.
 */
const oracles: readonly { file: string; field: string; surfaces: readonly Oracle[] }[] = [
  {
    file: "ironProt.vtk",
    field: "scalars",
    surfaces: [
      {
        isovalue: 64.5,
        triangles: 26192,
        vertices: 13146,
        parts: 31,
        area: 9123.695348892827,
        bounds: [1.34864867, 65.7243576, 1.33247423, 65.02272797, 1.52016127, 65.47983551],
        mean: [33.86309042638719, 28.65824781987795, 33.49206279908506],
      },
      {
        isovalue: 127.5,
        triangles: 14748,
        vertices: 7424,
        parts: 25,
        area: 4934.322570513566,
        bounds: [1.6891892, 65.45513153, 1.65721655, 61.82500076, 2.17499995, 64.82499695],
        mean: [33.84587262741065, 24.22885460133568, 33.492606474664704],
      },
    ],
  },
  {
    file: "vase.vti",
    field: "SLCImage",
    surfaces: [
      {
        isovalue: 20.5,
        triangles: 55568,
        vertices: 27784,
        parts: 1,
        area: 19385.059046670944,
        bounds: [29.2142849, 84.80882263, 7.75, 90.5535736, 9.21428585, 64.7857132],
        mean: [57.00000470411596, 43.05863070687059, 37.00000355571826],
      },
      {
        isovalue: 100.25,
        triangles: 52784,
        vertices: 26392,
        parts: 1,
        area: 18410.759104847428,
        bounds: [30.87083244, 83.12916565, 9.44140625, 88.82954407, 10.8708334, 63.12916565],
        mean: [56.99999979417517, 43.354906294626986, 37.000003682045765],
      },
    ],
  },
  {
    file: "carotid.vtk",
    field: "scalars",
    surfaces: [
      {
        isovalue: 0.3,
        triangles: 260,
        vertices: 177,
        parts: 23,
        area: 3.8708247240855083,
        bounds: [105.94999695, 169.30000305, 80, 119.02999878, 3.98799992, 30.03750038],
        mean: [135.24599086093363, 90.43833660405907, 15.893640361936752],
      },
      {
        isovalue: 50.05,
        triangles: 38786,
        vertices: 20447,
        parts: 154,
        area: 12254.45790610519,
        bounds: [100, 175, 80, 128, 1, 40.26304244995117],
        mean: [137.72971937719018, 100.5906400394631, 15.715563298122932],
      },
    ],
  },
];

/** Connected parts of a welded mesh, by union of the triangles' vertices. */
function partCount({ indices, positions }: TriangleMesh): number {
  const parent = Int32Array.from({ length: positions.length / 3 }, (_, v) => v);
  const root = (v: number) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  let parts = parent.length;
  for (let i = 0; i < indices.length; i++) {
    const a = root(indices[i]);
    const b = root(indices[3 * Math.floor(i / 3)]);
    if (a !== b) parts--;
    parent[a] = b;
  }
  return parts;
}

function meanPosition({ positions }: TriangleMesh): number[] {
  const sums = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sums[i % 3] += positions[i];
  return sums.map((sum) => sum / (positions.length / 3));
}

describe.each(oracles)("isosurfaces of $file", ({ file, field, surfaces }) => {
  it.each(surfaces)("match VTK's at $isovalue", async (expected) => {
    const bytes = await sharedData(file);
    if (!bytes) return;
    const dataSet = await readDataSet(bytesSource(bytes, file), noJob);
    const scalars = fieldNamed(dataSet, field);
    expect(scalars, `${file}: ${field}`).toBeDefined();
    const mesh = await isosurface(dataSet.grid, scalars as Field, expected.isovalue);
    expect([mesh.indices.length / 3, mesh.positions.length / 3, partCount(mesh)]).toEqual([
      expected.triangles,
      expected.vertices,
      expected.parts,
    ]);
    expectArraysClose(meshBounds(mesh) ?? [], expected.bounds, { absolute: 1e-5 }, "bounds");
    expectArraysClose(meanPosition(mesh), expected.mean, { absolute: 1e-5 }, "mean vertex");
    // A cell's loop of more than three vertices is bent, and its diagonals, which are not VTK's, change its area.
    expect(Math.abs(surfaceArea(mesh) / expected.area - 1)).toBeLessThan(4e-3);
    expect(countEdges(mesh).irregular).toBe(0);
  });
});
