import { expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import { sharedData } from "../core/testing/shared-data.ts";
import { statisticsOf } from "../engine/host-statistics.ts";
import { readDataSet } from "./read.ts";
import { blobSource, bytesSource } from "./source.ts";

/*
 * From VTK 9.1 (vtkStructuredPointsReader, vtkXMLImageDataReader) and NumPy: a = vtk_to_numpy(array),
 * m = a, or for vectors numpy.linalg.norm(a.astype("f8"), axis=1); m.min(), m.max(), m.mean(), a.ravel()[at].
 */
const oracle = {
  "carotid.vtk": {
    dims: [76, 49, 45],
    origin: [100, 80, 1],
    fields: [
      {
        name: "scalars",
        dtype: "f32",
        components: 1,
        min: 0,
        max: 580,
        mean: 99.04909297052154,
        at: 83790,
        value: 162,
      },
      {
        name: "vectors",
        dtype: "f32",
        components: 3,
        min: 0,
        max: 22.694927991153424,
        mean: 0.16748736891581445,
        at: 335160,
        value: -0.013156999833881855,
      },
    ],
  },
  "ironProt.vtk": {
    dims: [68, 68, 68],
    origin: [0, 0, 0],
    fields: [
      {
        name: "scalars",
        dtype: "u8",
        components: 1,
        min: 0,
        max: 255,
        mean: 13.138258828617952,
        at: 17570,
        value: 53,
      },
    ],
  },
  "vase.vti": {
    dims: [115, 101, 75],
    origin: [0, 0, 0],
    fields: [
      {
        name: "SLCImage",
        dtype: "u8",
        components: 1,
        min: 0,
        max: 239,
        mean: 12.309520447696944,
        at: 131624,
        value: 19,
      },
    ],
  },
};

test.each(Object.entries(oracle))("%s agrees with VTK", async (name, expected) => {
  const bytes = await sharedData(name);
  if (!bytes) return;
  const { grid, fields, notes } = await readDataSet(blobSource(new Blob([bytes]), name), noJob);
  expect(grid).toEqual({ kind: "uniform", dims: expected.dims, origin: expected.origin, spacing: [1, 1, 1] });
  expect(notes).toEqual([]);
  expect(fields).toHaveLength(expected.fields.length);
  for (const [i, { mean, at, value, min, max, ...head }] of expected.fields.entries()) {
    expect(fields[i]).toMatchObject({ ...head, centering: "node" });
    const got = await statisticsOf(fields[i].data, head.components);
    expect(got).toMatchObject({ min, max, nan: 0, infinite: 0 });
    expect(Math.abs(got.mean - mean)).toBeLessThan(1e-12 * mean);
    expect(fields[i].data[at]).toBe(value);
  }
});

test("a_grid.vtk is refused by name", async () => {
  const bytes = await sharedData("a_grid.vtk");
  if (!bytes) return;
  await expect(readDataSet(bytesSource(bytes, "a_grid.vtk"), noJob)).rejects.toMatchObject({
    tag: "UnsupportedFormat",
    message:
      "“a_grid.vtk” holds an unstructured grid. Crinkle reads uniform and rectilinear grids: resample it to an image " +
      "(in ParaView: Resample To Image) and save that as .vti.",
  });
});
