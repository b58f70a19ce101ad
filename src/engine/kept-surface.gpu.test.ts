import { expect, test } from "vitest";
import type { Box } from "../core/box.ts";
import { valuesIn } from "../core/box-values.ts";
import type { DataSet } from "../core/field.ts";
import type { Triple } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import type { Plane } from "../core/layers.ts";
import { finished } from "../core/steps.ts";
import { subgrid } from "../core/subgrid.ts";
import { trianglesOf } from "../core/testing/triangles-of.ts";
import { blocksOfCells } from "../gpu/surfaces/testing/blocks-of-cells.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { openEngineDevice } from "./device.ts";
import { KeptSurface } from "./kept-surface.ts";
import { bordersOf, joinParts, type MeshPart } from "./ranks/mesh-parts.ts";
import { isosurfaceOf, rings, surfaces } from "./ranks/testing/ranked-surfaces.ts";
import { Session } from "./session.ts";
import { surfaceMesh } from "./surface-mesh.ts";
import { ballData } from "./testing/data.ts";

const device = await openEngineDevice("gpu", navigator.gpu);

async function sessionOf(dataSet: DataSet): Promise<Session> {
  const session = new Session(device);
  await session.setDataSet(dataSet);
  return session;
}

test("surfaces one after the other are those that are made afresh, whatever came before, and leave no byte behind", async () => {
  const session = await sessionOf(ballData());
  const kept = new KeptSurface(session);
  const clip: Plane = { origin: [0, 0.1, 0], normal: [1, 2, 0] };
  const contour = (...isovalues: number[]) => isosurfaceOf("r", ...isovalues);
  const requests = [
    { shape: contour(0.5) },
    { shape: contour(1), clip },
    { shape: contour(Number.NaN) },
    { shape: contour(0.7, 1) },
    { shape: contour(99) },
    { shape: contour(1), colorBy: "r" },
  ];
  const triangles: number[] = [];
  for (const request of requests) {
    const { edges, ...mesh } = await (await kept.make(request, noJob)).readMesh();
    expect(mesh).toEqual((await surfaceMesh(session, request)).mesh);
    triangles.push(mesh.indices.length / 3);
  }
  expect(triangles.map((count) => count > 50)).toEqual([true, true, false, true, false, true]);
  expect([triangles[2], triangles[4]]).toEqual([0, 0]);
  kept.dispose();
  await session.close();
  expect(device.gpu?.pool.use).toMatchObject({ current: 0, buffers: 0 });
});

/** A block of cells with a layer around it, as a rank has it, and where its own cells are in it. */
function partOf({ grid, fields, ...rest }: DataSet, { first, end }: Box) {
  const triple = (f: (axis: number) => number): Triple => [f(0), f(1), f(2)];
  const low = triple((axis) => Math.max(0, first[axis] - 1));
  const nodes = { first: low, end: triple((axis) => Math.min(grid.dims[axis], end[axis] + 2)) };
  const whole = { first: [0, 0, 0] as const, end: grid.dims };
  const own = fields
    .filter(({ centering }) => centering === "node")
    .map((field) => ({ ...field, data: valuesIn(field.data, whole, nodes, 1) }));
  const relative = (place: Triple) => triple((axis) => place[axis] - low[axis]);
  return {
    dataSet: { ...rest, grid: subgrid(grid, nodes), fields: own },
    cells: { first: relative(first), end: relative(end) },
    nodes,
  };
}

// Kernels of further kinds take seconds to compile on a software adapter.
const shown = isSweep ? Object.keys(surfaces) : ["isosurfaces", "clipped isosurfaces"];

test("blocks of cells have the whole's triangles, each once, and count them, with nothing new while an isovalue is dragged", async () => {
  const whole = await sessionOf(rings);
  const meshes = new Map<string, { readonly triangles: string[]; readonly vertices: number }>();
  for (const name of shown) {
    const { mesh } = await surfaceMesh(whole, { ...surfaces[name], colorBy: "f" });
    expect(mesh.indices.length).toBeGreaterThan(300);
    meshes.set(name, { triangles: trianglesOf(mesh), vertices: mesh.positions.length / 3 });
  }
  await whole.close();
  const found = new Map(shown.map((name): [string, MeshPart[]] => [name, []]));
  const blocks = blocksOfCells(rings.grid.dims);
  for (const block of blocks) {
    const { dataSet, cells, nodes } = partOf(rings, block);
    const session = await sessionOf(dataSet);
    const kept = new KeptSurface(session, cells);
    for (const name of shown) {
      const surface = surfaces[name];
      const made = await kept.make({ ...surface, colorBy: "f" });
      const counts = await made.counts();
      const mesh = await made.readMesh();
      expect(counts.triangles).toBe(mesh.indices.length / 3);
      if (mesh.edges && surface.shape.kind === "isosurface")
        expect(counts.vertices).toBe(mesh.positions.length / 3);
      found.get(name)?.push({ ...mesh, borders: finished(bordersOf(mesh, rings.grid, block, nodes)) });
    }
    const { pool } = device.gpu!;
    pool.resetPeak();
    const { current } = pool.use;
    const { drawable } = await kept.make({ ...surfaces[shown[0]], colorBy: "f" });
    for (const isovalue of [0.25, 0.3, 0.35]) {
      const made = await kept.make({ shape: isosurfaceOf("f", isovalue, 3), colorBy: "f" });
      expect(made.drawable).toEqual(drawable);
      await made.counts();
    }
    if (!isSweep) expect(pool.use.peak).toBe(current);
    kept.dispose();
    await session.close();
  }
  for (const name of shown) {
    const joined = finished(joinParts(found.get(name) ?? [], rings.grid, blocks));
    const { triangles, vertices } = meshes.get(name) ?? {};
    expect(trianglesOf(joined), name).toEqual(triangles);
    expect(joined.positions.length / 3, name).toBe(vertices);
  }
  expect(device.gpu?.pool.use).toMatchObject({ current: 0, buffers: 0 });
});
