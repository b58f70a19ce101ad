import { describe, expect, test } from "vitest";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { PointSet } from "../core/point-set.ts";
import { reverseFacets } from "../core/reverse-facets.ts";
import type { MeshFormat } from "./api.ts";
import { fieldFile, meshFile, pointsFile } from "./exports.ts";

const triangle: TriangleMesh = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
  scalars: Float32Array.of(1, 2, 3),
  indices: Uint32Array.of(0, 1, 2),
};
const layer = (scalarName: string | undefined, isFlat = false) => ({
  mesh: scalarName === undefined ? { ...triangle, scalars: undefined } : triangle,
  colors: Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255),
  scalarName,
  isFlat,
});

async function text(blob: Blob): Promise<string> {
  return Buffer.from(await blob.arrayBuffer()).toString("latin1");
}

describe("layers as one file", () => {
  test.each<[MeshFormat, string, string]>([
    ["stl", "model/stl", "Binary STL"],
    ["ply", "application/octet-stream", "element vertex 6\n"],
    ["obj", "model/obj", "f 4//4 5//5 6//6\n"],
    ["glb", "model/gltf-binary", '"extras":{"scalar":"flow field"}'],
    ["vtp", "application/xml", 'Scalars="flow field"'],
  ])("%s", async (format, type, part) => {
    const blob = await meshFile([layer('"flow field"'), layer('"flow field"')], format, noJob);
    expect(blob.type).toBe(type);
    expect(await text(blob)).toContain(part);
  });

  test.each<MeshFormat>(["stl", "ply", "obj", "glb", "vtp"])(
    "with facets the other way: %s",
    async (format) => {
      const forward = layer("a");
      const turned = await text(await meshFile([forward], format, noJob, { reverseFacets: true }));
      const backward = { ...forward, mesh: reverseFacets(forward.mesh) };
      expect(turned === (await text(await meshFile([backward], format, noJob)))).toBe(true);
      expect(turned === (await text(await meshFile([forward], format, noJob)))).toBe(false);
    },
  );

  test("with its facets' normals the other way, where it is shaded flat", async () => {
    const obj = await text(await meshFile([layer("a", true)], "obj", noJob, { reverseFacets: true }));
    expect(obj.match(/^(vn|f) .*$/gm)).toEqual([...new Array(3).fill("vn 0 0 -1"), "f 1//1 3//3 2//2"]);
  });

  test("what is shaded flat has its facets' normals", async () => {
    const normals = Float32Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0);
    const pair = (isFlat: boolean) => {
      const { mesh, ...rest } = layer("a", isFlat);
      return { ...rest, mesh: { ...mesh, normals, indices: Uint32Array.of(0, 1, 2, 1, 0, 2) } };
    };
    const obj = await text(await meshFile([pair(false), pair(true)], "obj", noJob));
    const lines = (keyword: string) => obj.split("\n").filter((line) => line.startsWith(`${keyword} `));
    expect(lines("v").length).toBe(3 + 6);
    expect(lines("vn").map((line) => line.replace("-0", "0"))).toEqual([
      ...new Array(3).fill("vn 1 0 0"),
      ...new Array(3).fill("vn 0 0 1"),
      ...new Array(3).fill("vn 0 0 -1"),
    ]);
    expect(lines("f")).toEqual([
      "f 1//1 2//2 3//3",
      "f 2//2 1//1 3//3",
      "f 4//4 5//5 6//6",
      "f 7//7 8//8 9//9",
    ]);
    expect(await text(await meshFile([pair(true)], "ply", noJob))).toContain("element vertex 6\n");
  });

  test("scalars of several names are just scalars; of layers without any there are none", async () => {
    const joined = await meshFile([layer("a"), layer("b")], "vtp", noJob);
    expect(await text(joined)).toContain('Scalars="scalar"');
    const mixed = await text(await meshFile([layer("a"), layer(undefined)], "ply", noJob));
    expect(mixed).not.toMatch(/property float (a|scalar)/);
    expect(mixed).toContain("property uchar red");
  });
});

describe("points with a field", () => {
  const points: PointSet = {
    name: "my stars.csv",
    dimensions: 3,
    positions: Float64Array.of(1, 2, 3),
    columns: [{ name: "mass", components: 1, dtype: "f64", data: Float64Array.of(5) }],
    notes: [],
  };
  const field: Field = {
    name: "double",
    centering: "node",
    components: 1,
    dtype: "f32",
    data: Float32Array.of(10),
  };

  test("that is a column, and that is none", async () => {
    const { name, blob } = await pointsFile(points, { ...field, name: "mass" }, "csv", noJob);
    expect([name, await text(blob)]).toEqual(["my_stars.csv", "x,y,z,mass\n1,2,3,5\n"]);
    const derived = await pointsFile(points, field, "csv", noJob);
    expect(await text(derived.blob)).toBe("x,y,z,mass,double\n1,2,3,5,10\n");
    const vtp = await pointsFile(points, field, "vtk", noJob);
    expect(vtp.name).toBe("my_stars.vtp");
    expect(await text(vtp.blob)).toContain('Name="double"');
  });

  test("a field on a grid is not written as CSV", async () => {
    const grid: Grid = { kind: "uniform", dims: [1, 1, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
    await expect(fieldFile(grid, field, "csv", noJob)).rejects.toMatchObject({ tag: "BadArgument" });
  });
});
