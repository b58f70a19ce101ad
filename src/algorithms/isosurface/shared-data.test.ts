import { describe, expect, it } from "vitest";
import { fieldNamed } from "../../core/field.ts";
import { unattended } from "../../core/job.ts";
import { sharedData } from "../../core/testing/shared-data.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import { isosurface } from "./isosurface.ts";
import { meshBounds, surfaceArea } from "./measures.ts";

interface Oracle {
  readonly isovalue: number;
  readonly triangles: number;
  readonly vertices: number;
  readonly area: number;
  readonly bounds: readonly number[];
}

/**
 * Counts, areas (vtkMassProperties) and bounds by vtkFlyingEdges3D of VTK 9.1. VTK counts a value equal to the
 * isovalue as above and we as below, so isovalues lie between the values that occur.
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
        area: 9123.695348892827,
        bounds: [1.34864867, 65.7243576, 1.33247423, 65.02272797, 1.52016127, 65.47983551],
      },
      {
        isovalue: 127.5,
        triangles: 14748,
        vertices: 7424,
        area: 4934.322570513566,
        bounds: [1.6891892, 65.45513153, 1.65721655, 61.82500076, 2.17499995, 64.82499695],
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
        area: 19385.059046670944,
        bounds: [29.2142849, 84.80882263, 7.75, 90.5535736, 9.21428585, 64.7857132],
      },
      {
        isovalue: 100.25,
        triangles: 52784,
        vertices: 26392,
        area: 18410.759104847428,
        bounds: [30.87083244, 83.12916565, 9.44140625, 88.82954407, 10.87083340, 63.12916565],
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
        area: 3.8708247240855083,
        bounds: [105.94999695, 169.30000305, 80, 119.02999878, 3.98799992, 30.03750038],
      },
    ],
  },
];

describe.each(oracles)("isosurfaces of $file", ({ file, field, surfaces }) => {
  it.each(surfaces)("match VTK's at $isovalue", async (due) => {
    const bytes = await sharedData(file);
    if (!bytes) return;
    const { grid, fields, ...rest } = await readDataSet(bytesSource(bytes, file), unattended);
    const scalars = fieldNamed({ grid, fields, ...rest }, field);
    if (!scalars) throw new Error(`no field ${field} among ${fields.map((f) => f.name)}`);
    const mesh = await isosurface(grid, scalars, due.isovalue);
    expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([due.triangles, due.vertices]);
    expect(Math.abs(surfaceArea(mesh) / due.area - 1)).toBeLessThan(2e-6);
    expect(meshBounds(mesh)?.every((b, i) => Math.abs(b - due.bounds[i]) < 1e-5)).toBe(true);
  });
});
