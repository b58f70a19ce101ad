import { describe, expect, test } from "vitest";
import type { DataSet } from "../../core/field.ts";
import { noJob } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { bytesSource } from "../source.ts";
import { fixtureNames, plain, readBytes, readFixture, readPoints } from "../testing/fixtures.ts";
import { torus, torusColor } from "../testing/torus.ts";
import { readDataArray } from "../xml/data-array.ts";
import { openXmlFile } from "../xml/file.ts";
import { childNamed } from "../xml/tokenizer.ts";
import type { Chunks } from "./chunks.ts";
import { writeMesh } from "./mesh.ts";
import { writeNpy } from "./npy.ts";
import { writeObj } from "./obj.ts";
import { writePly } from "./ply.ts";
import { writeStl } from "./stl.ts";
import { writeVti, writeVtr } from "./vtk-xml.ts";
import { writeVtp } from "./vtp.ts";

const join = (chunks: Chunks) => new Uint8Array(Buffer.concat(chunks));

describe("VTK XML read back is what was written", () => {
  const sources = ["image-ascii.vti", "types-binary.vti", "wavelet.vti", "rectilinear-ascii.vtr"];
  for (const compression of ["none", "zlib"] as const) {
    test.each(sources)(`%s as .vtr, compression ${compression}`, async (name) => {
      const dataSet = await readFixture(name);
      const { fields, grid } = plain(
        await readBytes(join(await writeVtr(dataSet, noJob, { compression })), "a.vtr"),
      );
      expect(fields).toEqual(plain(dataSet).fields);
      expect(grid.kind).toBe("rectilinear");
      if (dataSet.grid.kind === "rectilinear") expect(grid).toEqual(plain(dataSet).grid);
    });

    test.each(sources.slice(0, 3))(`%s as .vti, compression ${compression}`, async (name) => {
      const dataSet = await readFixture(name);
      const written = await writeVti(dataSet, noJob, { compression });
      expect({ ...plain(await readBytes(join(written), "a.vti")), notes: dataSet.notes }).toEqual(
        plain(dataSet),
      );
    });
  }

  test("arrays of several blocks, names with any characters", async () => {
    const data = Float64Array.from({ length: 300_000 }, (_, i) => Math.sin(i));
    const dataSet: DataSet = {
      name: "big",
      grid: { kind: "uniform", dims: [100, 100, 10], origin: [0, 0, 0], spacing: [0.1, 1e-7, 1e30] },
      fields: [{ name: `<"v" & 'μ'>`, centering: "node", components: 3, dtype: "f64", data }],
      notes: [],
    };
    const written = await writeVti(dataSet, noJob, { compression: "zlib" });
    const { grid, fields } = await readBytes(join(written), "a.vti");
    expect(grid).toEqual(dataSet.grid);
    expect(fields[0].name).toBe(`<"v" & 'μ'>`);
    expect(Buffer.compare(Buffer.from(fields[0].data.buffer), Buffer.from(data.buffer))).toBe(0);
    const plainChunks = await writeVti(dataSet, noJob);
    expect(
      plainChunks.some((chunk) => chunk.buffer === data.buffer),
      "the field is not copied",
    ).toBe(true);
  });

  test("a rectilinear grid cannot be a .vti", async () => {
    await expect(writeVti(await readFixture("rectilinear-ascii.vtr"), noJob)).rejects.toMatchObject({
      tag: "BadArgument",
      message:
        "“rectilinear-ascii.vtr” has a rectilinear grid, which .vti files cannot hold. Write a .vtr file.",
    });
  });

  test("the fixtures it starts from are there", async () => {
    expect(await fixtureNames()).toEqual(expect.arrayContaining(sources));
  });
});

test("NumPy's format: magic, aligned header, C order", async () => {
  const { grid, fields } = await readFixture("image-ascii.vti");
  const [head, data] = writeNpy(grid, fields[1]);
  const text = Buffer.from(head).toString("latin1");
  expect(text.slice(0, 8)).toBe("\x93NUMPY\x01\0");
  expect(head.length % 64).toBe(0);
  expect(head[8] + 256 * head[9]).toBe(head.length - 10);
  expect(text.slice(10).trimEnd()).toBe("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4, 3), }");
  expect(text.endsWith("\n")).toBe(true);
  expect(data.buffer).toBe(fields[1].data.buffer);
  const cells = Buffer.from(writeNpy(grid, fields[2])[0]).toString("latin1");
  expect(cells).toContain("'descr': '|u1', 'fortran_order': False, 'shape': (1, 2, 3), }");
});

/** Two triangles of a unit square in the plane z = 2, and one without area. */
const mesh: TriangleMesh = {
  positions: Float32Array.of(0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
  scalars: Float32Array.of(0.5, 1.5, 2.5, 3.5),
  indices: Uint32Array.of(0, 1, 2, 0, 3, 2, 1, 1, 2),
};

test("STL: 84 bytes, then 50 a triangle, each with its facet's normal", async () => {
  const bytes = join(await writeStl(mesh, noJob));
  expect(bytes.length).toBe(84 + 3 * 50);
  expect(Buffer.from(bytes).toString("latin1", 0, 5)).not.toBe("solid");
  const view = new DataView(bytes.buffer);
  expect(view.getUint32(80, true)).toBe(3);
  const floats = (triangle: number) =>
    Array.from({ length: 12 }, (_, i) => view.getFloat32(84 + 50 * triangle + 4 * i, true));
  expect(floats(0)).toEqual([0, 0, 1, 0, 0, 2, 1, 0, 2, 1, 1, 2]);
  expect(floats(1).slice(0, 3)).toEqual([0, 0, -1]);
  expect(floats(2).slice(0, 3)).toEqual([0, 0, 0]);
});

test("PLY: header, vertices with scalar and colour, faces", async () => {
  const color = (vertex: number, target: Uint8Array, at: number) =>
    target.set([vertex, 10 * vertex, 255 - vertex], at);
  const bytes = join(await writePly(mesh, noJob, { scalarName: "magnitude(v)", color }));
  const text = Buffer.from(bytes).toString("latin1");
  const head = text.slice(0, text.indexOf("end_header\n") + 11);
  expect(head).toBe(
    "ply\nformat binary_little_endian 1.0\ncomment written by Crinkle\nelement vertex 4\n" +
      "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n" +
      "property float magnitude_v_\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n" +
      "element face 3\nproperty list uchar int vertex_indices\nend_header\n",
  );
  const view = new DataView(bytes.buffer, head.length);
  expect(view.byteLength).toBe(4 * 31 + 3 * 13);
  expect(Array.from({ length: 7 }, (_, i) => view.getFloat32(2 * 31 + 4 * i, true))).toEqual([
    1, 1, 2, 0, 0, 1, 2.5,
  ]);
  expect([view.getUint8(2 * 31 + 28), view.getUint8(2 * 31 + 29), view.getUint8(2 * 31 + 30)]).toEqual([
    2, 20, 253,
  ]);
  const face = 4 * 31 + 13;
  expect([view.getUint8(face), ...[1, 5, 9].map((at) => view.getInt32(face + at, true))]).toEqual([
    3, 0, 3, 2,
  ]);
});

test("an empty mesh gives valid empty files", async () => {
  const empty = {
    positions: new Float32Array(0),
    normals: new Float32Array(0),
    scalars: undefined,
    indices: new Uint32Array(0),
  };
  expect(join(await writeStl(empty, noJob)).length).toBe(84);
  const text = Buffer.from(join(await writePly(empty, noJob))).toString("latin1");
  expect(text).toContain("element vertex 0\n");
  expect(text.endsWith("end_header\n")).toBe(true);
});

test("VTP: what our own reader finds in it", async () => {
  const whole = torus();
  const bytes = join(await writeVtp(whole, noJob, { scalarName: "height", color: torusColor }));
  const { positions, columns, notes } = await readPoints(bytes, "a.vtp");
  expect(positions).toEqual(Float64Array.from(whole.positions));
  expect(columns.map(({ name, components }) => [name, components])).toEqual([
    ["Normals", 3],
    ["height", 1],
    ["Colors", 3],
  ]);
  expect([columns[0].data, columns[1].data]).toEqual([whole.normals, whole.scalars]);
  expect(notes).toEqual(["Only the points are read: 768 polygons were left out."]);
  const file = await openXmlFile(bytesSource(bytes, "a.vtp"), noJob);
  const polys = childNamed(file.root.children[0].children[0], "Polys")?.children ?? [];
  expect(await readDataArray(file, polys[0], 3 * 768, "the corners")).toEqual(Int32Array.from(whole.indices));
  const ends = await readDataArray(file, polys[1], 768, "the ends");
  expect([...(ends as Int32Array)]).toEqual(Array.from({ length: 768 }, (_, i) => 3 * i + 3));
});

test("OBJ: the lines of a small mesh", async () => {
  const positions = Float32Array.of(0, -0.1, 1 / 3, 1e-30, 16777216, 1e30, 1, 2, 3);
  const small = {
    positions,
    normals: Float32Array.of(0, 0, 1, 0, 1, 0, 1, 0, 0),
    scalars: undefined,
    indices: Uint32Array.of(0, 1, 2),
  };
  const text = Buffer.from(join(await writeObj(small, noJob))).toString();
  expect(text).toBe(
    "# written by Crinkle\nv 0 -0.1 0.333333343\nv 1e-30 16777216 1e+30\nv 1 2 3\n" +
      "vn 0 0 1\nvn 0 1 0\nvn 1 0 0\nf 1//1 2//2 3//3\n",
  );
});

test.each(["obj", "vtp"] as const)("a cancelled job writes no %s", async (format) => {
  const count = 200_000;
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i));
  const big = { positions, normals: positions, scalars: undefined, indices: new Uint32Array(6 * count) };
  const stopped = new AbortController();
  const job = { signal: stopped.signal, progress: () => stopped.abort() };
  await expect(writeMesh(big, format, job)).rejects.toMatchObject({ tag: "Cancelled" });
});
