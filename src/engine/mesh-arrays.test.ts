import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { locateCell } from "../core/cell-location.ts";
import { type DataSet, makeField } from "../core/field.ts";
import { type Grid, valuePosition } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import { isosurface } from "../cpu/surfaces/isosurface.ts";
import { writeMesh } from "../data/write/mesh.ts";
import { writeVti, writeVtr } from "../data/write/vtk-xml.ts";
import { openEngineDevice } from "./device.ts";
import { meshArrays, sessionMeshArrays } from "./mesh-arrays.ts";
import { Session } from "./session.ts";
import { ballData } from "./testing/data.ts";

/** Python with VTK and NumPy, where the machine has both. */
const python = ["python3", "/usr/bin/python3"].find(
  (command) => spawnSync(command, ["-c", "import vtk, numpy"]).status === 0,
);
if (!python) console.info("left out: VTK's probe, because there is no Python with VTK");

/** A ball on a grid whose distances grow, with fields of every centring and of several types. */
function stretched(): DataSet {
  const axis = (n: number, growth: number) =>
    Float64Array.from({ length: n }, (_, i) => i + growth * i * i - 5);
  const grid: Grid = {
    kind: "rectilinear",
    dims: [11, 9, 10],
    axes: [axis(11, 0.02), axis(9, 0.1), axis(10, 0.05)],
  };
  const nodes = Array.from({ length: 11 * 9 * 10 }, (_, i) => valuePosition(grid, "node", i));
  const r = Float32Array.from(nodes, ([x, y, z]) => Math.hypot(x - 0.3, y + 0.2, z - 0.1));
  const linear = Float64Array.from(nodes.flatMap(([x, y, z]) => [x + 2 * y, 3 * z - x, 1e6 + y]));
  const count = Int16Array.from(nodes, (_, i) => (i * 37) % 101);
  const cell = BigInt64Array.from({ length: 10 * 8 * 9 }, (_, i) => 2n ** 53n + BigInt(i));
  return {
    name: "stretched",
    grid,
    fields: [
      makeField(grid, "r", "node", 1, r),
      makeField(grid, "linear", "node", 3, linear),
      makeField(grid, "count", "node", 1, count),
      makeField(grid, "cell", "cell", 1, cell),
    ],
    notes: [],
  };
}

const named = (arrays: Awaited<ReturnType<typeof meshArrays>>, name: string) =>
  [...arrays.vertices, ...arrays.triangles].find((array) => array.name === name)!;

describe("all fields on a surface", () => {
  test("linear fields are exact, and each triangle lies in its cell", async () => {
    const { grid, fields } = stretched();
    const mesh = await isosurface(grid, fields[0], 3);
    const arrays = await meshArrays(grid, fields, mesh, noJob);
    expect(arrays.vertices.map(({ name, dtype }) => [name, dtype])).toEqual([
      ["r", "f32"],
      ["linear", "f64"],
      ["count", "f32"],
    ]);
    const { positions, indices } = mesh;
    const vertices = positions.length / 3;
    expect(vertices).toBeGreaterThan(80);
    expectArraysClose(named(arrays, "r").data as Float32Array, new Float32Array(vertices).fill(3), {
      absolute: 2e-6,
    });
    const expected = Float64Array.from({ length: 3 * vertices }, (_, i) => {
      const [x, y, z] = positions.subarray(i - (i % 3), i - (i % 3) + 3);
      return [x + 2 * y, 3 * z - x, 1e6 + y][i % 3];
    });
    expectArraysClose(named(arrays, "linear").data as Float64Array, expected, { absolute: 5e-6 });
    const ids = named(arrays, "vtkOriginalCellIds").data as BigInt64Array;
    const middles = Array.from({ length: indices.length / 3 }, (_, t) =>
      [0, 1, 2].map(
        (axis) => [0, 1, 2].reduce((sum, c) => sum + positions[3 * indices[3 * t + c] + axis], 0) / 3,
      ),
    );
    expect([...ids].map(Number)).toEqual(middles.map(([x, y, z]) => locateCell(grid, [x, y, z]).cellIndex));
    expect(named(arrays, "cell")).toMatchObject({ dtype: "i64" });
    expect([...(named(arrays, "cell").data as BigInt64Array)]).toEqual([...ids].map((id) => 2n ** 53n + id));
  });

  test("a NaN beyond an edge is not met, though positions are rounded", async () => {
    const grid: Grid = {
      kind: "uniform",
      dims: [4, 4, 4],
      origin: [1000.1, -7.7, 0.3],
      spacing: [0.1, 0.1, 0.1],
    };
    const along = (axis: number) =>
      Float32Array.from({ length: 64 }, (_, i) => [i % 4, Math.floor(i / 4) % 4, i >> 4][axis]);
    const holed = along(2).map((z, i) => (along(0)[i] === 1 && along(1)[i] === 1 ? 10 * z : Number.NaN));
    const contoured = makeField(grid, "x", "node", 1, along(2));
    const mesh = await isosurface(grid, contoured, 1.4);
    const { vertices } = await meshArrays(grid, [makeField(grid, "holed", "node", 1, holed)], mesh, noJob);
    const finite = [...(vertices[0].data as Float32Array)].filter(Number.isFinite);
    expect(finite).toHaveLength(1);
    expect(finite[0]).toBeCloseTo(14, 4);
  });

  test("a contour through nodes is of the cells that it was made in, whose other nodes are above", async () => {
    const grid: Grid = { kind: "uniform", dims: [4, 3, 3], origin: [0, 0, 0], spacing: [1, 1, 1] };
    for (const [sign, cell] of [
      [1, 1],
      [-1, 0],
    ]) {
      const x = Float32Array.from({ length: 36 }, (_, i) => sign * (i % 4));
      const mesh = await isosurface(grid, makeField(grid, "x", "node", 1, x), sign);
      const { triangles } = await meshArrays(grid, [], mesh, noJob);
      const ids = [...(triangles[0].data as BigInt64Array)].map(Number);
      expect(ids.toSorted((a, b) => a - b)).toEqual(
        [0, 3, 6, 9].flatMap((first) => [first + cell, first + cell]),
      );
    }
  });

  test("a triangle in a face is of the cell that its normals point away from", async () => {
    const grid: Grid = { kind: "uniform", dims: [3, 3, 3], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const face = (x: number, nx: number): TriangleMesh => ({
      positions: Float32Array.of(x, 0, 0, x, 1, 0, x, 0, 1),
      normals: Float32Array.of(nx, 0, 0, nx, 0, 0, nx, 0, 0),
      scalars: undefined,
      indices: Uint32Array.of(0, 1, 2),
    });
    const ids = [];
    for (const [x, nx] of [
      [1, 1],
      [1, -1],
      [0, -1],
      [2, 1],
    ])
      ids.push(...((await meshArrays(grid, [], face(x, nx), noJob)).triangles[0].data as BigInt64Array));
    expect(ids).toEqual([0n, 1n, 0n, 1n]);
  });

  test("of a session also those that were computed, each once", async () => {
    const session = new Session(await openEngineDevice("cpu", undefined));
    await session.setDataSet(ballData());
    await session.compute("r = 2 * r\nspin = curl(v)", noJob);
    const mesh = await isosurface(session.data.dataSet.grid, session.data.dataSet.fields[0], 0.6);
    const arrays = await sessionMeshArrays(session, mesh, noJob);
    expect(arrays.vertices.map(({ name }) => name)).toEqual(["v", "r", "spin"]);
    expect(arrays.triangles.map(({ name }) => name)).toEqual(["id", "vtkOriginalCellIds"]);
    for (const value of named(arrays, "r").data as Float32Array) expect(value).toBeCloseTo(1.2, 5);
    expect([...(named(arrays, "id").data as Float64Array)]).toEqual(
      [...(named(arrays, "vtkOriginalCellIds").data as BigInt64Array)].map(Number),
    );
  });

  test.runIf(python).each([
    ["stretched.vtr", stretched()],
    ["ball.vti", ballData()],
  ] as const)("are what vtkProbeFilter finds in %s", async (name, data) => {
    const folder = await mkdtemp(join(tmpdir(), "arrays-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const mesh = await isosurface(data.grid, data.fields[0], 0.9);
    const arrays = await meshArrays(data.grid, data.fields, mesh, noJob);
    const [grid, file] = [join(folder, name), join(folder, "mesh.vtp")];
    await writeFile(grid, await (name.endsWith("vti") ? writeVti : writeVtr)(data, noJob));
    await writeFile(file, await writeMesh(mesh, "vtp", noJob, { arrays }));
    const script = join(import.meta.dirname, "testing/probe-mesh.py");
    const { stdout, stderr } = spawnSync(python ?? "", [script, grid, file], { encoding: "utf8" });
    expect(stderr).toBe("");
    const probed = JSON.parse(stdout);
    expect(probed).toMatchObject({
      points: mesh.positions.length / 3,
      triangles: mesh.indices.length / 3,
      strangers: 0,
    });
    for (const difference of Object.values(probed.differences)) expect(difference).toBeLessThan(1e-4);
    expect(Object.keys(probed.differences)).toHaveLength(arrays.vertices.length);
    for (const wrong of Object.values(probed.wrong)) expect(wrong).toBe(0);
  });
});
