import { afterAll, describe, expect, it } from "vitest";
import { type Field, fieldNamed } from "../../core/field.ts";
import { noJob } from "../../core/job.ts";
import type { Plane } from "../../core/layers.ts";
import { countEdges, surfaceArea } from "../../core/mesh-measures.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import { testGpu } from "../testing/context.ts";
import { sharedData } from "../testing/shared-data.ts";
import { createCutExtractor } from "./cut/cut.ts";
import { uploaded } from "./testing/upload.ts";
import { createThresholdExtractor } from "./threshold/threshold.ts";

const gpu = await testGpu();
const cuts = await createCutExtractor(gpu);
const thresholds = await createThresholdExtractor(gpu);
afterAll(() => {
  cuts.dispose();
  thresholds.dispose();
});

interface Oracle {
  readonly file: string;
  readonly plane: Plane;
  readonly range: readonly [number, number];
  readonly cut: { points: number; triangles: number; area: number; scalars: number };
  readonly threshold: { faces: number; clippedArea: number };
}

/**
 * VTK 9.1: vtkCutter with triangles (sum of its points' scalars), vtkThreshold of all scalars with vtkGeometryFilter,
 * and vtkClipPolyData of that by the same plane; areas by vtkMassProperties.
 */
const oracles: readonly Oracle[] = [
  {
    file: "carotid.vtk",
    plane: { origin: [131.3, 107.7, 22.2], normal: [0.3, -0.5, 1] },
    range: [100, 300],
    cut: { points: 6446, triangles: 12563, area: 4039.281797354979, scalars: 629028.6198284626 },
    threshold: { faces: 34992, clippedArea: 23052.622236423224 },
  },
  {
    file: "ironProt.vtk",
    plane: { origin: [33.3, 31.7, 35.1], normal: [1, 0.6, -0.4] },
    range: [40, 130],
    cut: { points: 9163, triangles: 17925, area: 5524.942361152778, scalars: 200719 },
    threshold: { faces: 13566, clippedArea: 7819.0400041662715 },
  },
];

describe.each(oracles)("surfaces of $file match VTK's", ({ file, plane, range, cut, threshold }) => {
  it("cut, threshold and clip", async () => {
    const bytes = await sharedData(file);
    if (!bytes) return;
    const { grid, ...dataSet } = await readDataSet(bytesSource(bytes, file), noJob);
    const host = fieldNamed({ grid, ...dataSet }, "scalars") as Field;
    const { tables, fields, release } = await uploaded(gpu, grid, { field: host });
    await cuts.setSource({ tables, color: fields.field });
    cuts.extract({ kind: "plane", plane });
    const { scalars = [], ...flat } = await cuts.readMesh();
    expect([flat.positions.length / 3, flat.indices.length / 3]).toEqual([cut.points, cut.triangles]);
    expect(surfaceArea({ ...flat, scalars: undefined }) / cut.area).toBeCloseTo(1, 5);
    let sum = 0;
    for (const scalar of scalars) sum += scalar;
    // Of whole numbers, VTK interpolates whole numbers.
    const tolerance = host.dtype === "f32" ? 1e-5 * cut.scalars : cut.points;
    expect(Math.abs(sum - cut.scalars)).toBeLessThan(tolerance);

    await thresholds.setSource({ tables, field: fields.field });
    thresholds.extract(range);
    const boundary = await thresholds.readMesh();
    expect(boundary.indices.length).toBe(6 * threshold.faces);
    expect(surfaceArea(boundary) / threshold.faces).toBeCloseTo(1, 5);
    thresholds.setClip(plane);
    const clipped = await thresholds.readMesh();
    expect(surfaceArea(clipped) / threshold.clippedArea).toBeCloseTo(1, 5);
    expect(countEdges(clipped).irregular).toBe(0);
    thresholds.setClip(undefined);
    release();
  });
});
