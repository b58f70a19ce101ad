import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bounds } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { emptyMesh } from "../../core/mesh.ts";
import { meshBounds, surfaceArea } from "../../core/mesh-measures.ts";
import type { PointSet } from "../../core/point-set.ts";
import { torus, torusColor } from "../testing/torus.ts";
import { type MeshFormat, meshFormats, writeMesh } from "./mesh.ts";
import { writePointsVtp } from "./points.ts";

/** Python with VTK, where the machine has one; three's loaders read the same files everywhere (src/viewer). */
const python = ["python3", "/usr/bin/python3"].find(
  (command) => spawnSync(command, ["-c", "import vtk"]).status === 0,
);
if (!python) console.info("left out: VTK's readers, because there is no Python with VTK");

interface Read {
  readonly points: number[][];
  readonly triangles: number[][];
  readonly bounds: number[];
  readonly area: number;
  readonly openEdges: number;
  readonly active: string | null;
  readonly arrays: Record<string, number[][]>;
}

const mesh = torus();
const points: PointSet = {
  name: "points",
  dimensions: 3,
  positions: Float64Array.of(1, 2, 1 / 3, 4, 5, -6e200),
  columns: [
    { name: "kind", components: 1, dtype: "i16", data: Int16Array.of(-7, 9) },
    { name: "velocity", components: 3, dtype: "f32", data: Float32Array.of(1, 2, 3, 4, 5, 6) },
  ],
  notes: [],
};
const rows = (values: Float32Array) =>
  Array.from({ length: values.length / 3 }, (_, i) => [...values.subarray(3 * i, 3 * i + 3)]);
const triangles = Array.from({ length: mesh.indices.length / 3 }, (_, i) => [
  ...mesh.indices.subarray(3 * i, 3 * i + 3),
]);
const colors = Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => {
  const bytes = new Uint8Array(3);
  torusColor(vertex, bytes, 0);
  return [...bytes];
});
const read = new Map<string, Read>();
let folder: string;

describe.runIf(python)("VTK reads the meshes and points that are written", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "meshes-"));
    const paths: string[] = [];
    const write = async (name: string, format: MeshFormat, from: typeof mesh) => {
      const path = join(folder, `${name}.${format}`);
      await writeFile(path, await writeMesh(from, format, noJob, { scalarName: "h & h", color: torusColor }));
      paths.push(path);
    };
    for (const format of meshFormats) await write("torus", format, mesh);
    await write("empty", "vtp", emptyMesh);
    paths.push(join(folder, "points.vtp"));
    await writeFile(paths[paths.length - 1], await writePointsVtp(points, noJob));
    const script = join(import.meta.dirname, "../testing/read-meshes.py");
    const { stdout, stderr, status } = spawnSync(python ?? "", [script, ...paths], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toBe("");
    stdout
      .trim()
      .split("\n")
      .forEach((line, i) => {
        read.set(paths[i].slice(folder.length + 1), JSON.parse(line) as Read);
      });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const of = (name: string) => read.get(name) as Read;

  test.each(meshFormats)("%s: counts, bounds, area, closed", (format) => {
    const got = of(`torus.${format}`);
    expect(got.triangles).toHaveLength(triangles.length);
    expect(got.points).toHaveLength(mesh.positions.length / 3);
    const [x0, x1, y0, y1, z0, z1] = meshBounds(mesh) as Bounds;
    // VTK turns glTF as its node says: z becomes y, y becomes −z.
    const expected = format === "glb" ? [x0, x1, z0, z1, -y1, -y0] : [x0, x1, y0, y1, z0, z1];
    for (const [i, value] of expected.entries()) expect(got.bounds[i]).toBeCloseTo(value, 5);
    expect(got.area).toBeCloseTo(surfaceArea(mesh), 4);
    expect(got.openEdges).toBe(0);
  });

  test.each(["ply", "obj", "vtp"])("%s: the same vertices, triangles and normals", (format) => {
    const { points, triangles: corners, arrays } = of(`torus.${format}`);
    expect(points).toEqual(rows(mesh.positions));
    expect(corners).toEqual(triangles);
    // −0 is written as 0 where numbers are text.
    expect(arrays.Normals.map((row) => row.map((x) => x + 0))).toEqual(
      rows(mesh.normals).map((row) => row.map((x) => x + 0)),
    );
  });

  test("VTP: scalars under their name, and colours", () => {
    const { active, arrays } = of("torus.vtp");
    expect(active).toBe("h & h");
    expect(arrays["h & h"].flat()).toEqual([...(mesh.scalars ?? [])]);
    expect(arrays.Colors).toEqual(colors);
  });

  test("PLY: colours", () => {
    expect(of("torus.ply").arrays.RGB).toEqual(colors);
  });

  test("binary glTF: scalars and linear colours", () => {
    const { _SCALAR: scalars, COLOR_0: linear } = of("torus.glb").arrays;
    expect(scalars.flat()).toEqual([...(mesh.scalars ?? [])]);
    expect(linear).toHaveLength(colors.length);
    for (const [i, [red, , , opacity]] of linear.entries()) {
      expect(opacity).toBe(1);
      const s = red <= 0.0031308 ? 12.92 * red : 1.055 * red ** (1 / 2.4) - 0.055;
      expect(Math.round(255 * s)).toBe(colors[i][0]);
    }
  });

  test("points as VTP", () => {
    const got = of("points.vtp");
    expect(got.points).toEqual([
      [1, 2, 1 / 3],
      [4, 5, -6e200],
    ]);
    expect(got.triangles, "all points as one cell").toEqual([[0, 1]]);
    expect(got.active).toBe("kind");
    expect(got.arrays).toEqual({
      kind: [[-7], [9]],
      velocity: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    });
  });

  test("a VTP file of nothing", () => {
    expect(of("empty.vtp")).toMatchObject({ points: [], triangles: [] });
  });
});
