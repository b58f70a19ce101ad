import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, boxCount, numberInBox, wholeBox } from "../core/box.ts";
import { emptyBox } from "../core/box-values.ts";
import { arrayOf, bytesPerElement, dtypes, type TypedArray } from "../core/dtype.ts";
import { type Grid, type Triple, valueCount, valueDims } from "../core/grid.ts";
import { noJob } from "../core/job.ts";
import { bytesOf } from "./bytes/allocate.ts";
import type { RawOptions } from "./raw/describe.ts";
import { openData, requireGrid } from "./read.ts";
import { hydrogenOrbital, storedHydrogenOrbital } from "./samples/hydrogen.ts";
import { storedTangle, tangle } from "./samples/tangle.ts";
import type { Source } from "./source.ts";
import type { StoredData } from "./stored.ts";
import { fixtureBytes, readBytes } from "./testing/fixtures.ts";
import {
  type FileField,
  legacyFile,
  nrrdFile,
  rawFile,
  type StoredFile,
  xmlFile,
} from "./testing/stored-files.ts";

/** A file, and companions of it, of which is known how many bytes are read. */
function counted({ source, options }: StoredFile) {
  const count = { bytes: 0 };
  const of = (source: Source): Source => ({
    ...source,
    read(from, to) {
      count.bytes += to - from;
      return source.read(from, to);
    },
  });
  const companions = (name: string) => {
    const found = options.companions?.(name);
    return found && of(found);
  };
  return { source: of(source), options: { ...options, companions }, count };
}

const open = async ({ source, options }: StoredFile): Promise<StoredData> =>
  requireGrid(await openData(source, noJob, options));

/** More than what stands around the values: the windows of text before and between them. */
const headerBytes = (fields: number) => 2 ** 10 + (fields + 6) * 2 ** 15;

const axis = (length: number) => Float64Array.from({ length }, (_, i) => 3 * i + 0.5 * ((i * i) % 3));

const anyGrid = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }))
  .chain((dims) =>
    fc.constantFrom<Grid>(
      { kind: "uniform", dims, origin: [0.25, -1, 2], spacing: [0.5, 1, 0.1] },
      { kind: "rectilinear", dims, axes: [axis(dims[0]), axis(dims[1]), axis(dims[2])] },
    ),
  );

const manyFields = (grid: Grid) =>
  fc
    .array(
      fc.record({
        centering: fc.constantFrom("node" as const, "cell" as const),
        components: fc.constantFrom(1, 2, 3, 9),
        dtype: fc.constantFrom(...dtypes),
        seed: fc.integer({ min: 1, max: 250 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((shapes) =>
      shapes.map(
        ({ seed, ...shape }, i): FileField => ({
          ...shape,
          name: `f${i}`,
          data: valuesOf(grid, shape, seed),
        }),
      ),
    );

/** Any bytes, but no NaN, which has many forms. */
function valuesOf(
  grid: Grid,
  { centering, components, dtype }: Pick<FileField, "centering" | "components" | "dtype">,
  seed: number,
) {
  const array = new (arrayOf(dtype))(valueCount(grid, centering) * components);
  const bytes = bytesOf(array);
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((i + 1) * seed) % 113;
  return array;
}

const anyFile = anyGrid.chain((grid) =>
  manyFields(grid).chain((many) => {
    const order = fc.constantFrom("little" as const, "big" as const);
    const single = { ...many[0], name: "values", centering: "node" as const };
    const node = [{ ...single, data: valuesOf(grid, single, 7) }];
    const common = [
      fc.tuple(order, fc.constantFrom(4 as const, 8 as const)).map(([order, width]) => ({
        grid,
        fields: [...many].sort((a, b) => Number(a.centering === "cell") - Number(b.centering === "cell")),
        file: xmlFile(grid, many, order, width),
      })),
      fc.constant({
        grid,
        fields: [...many].sort((a, b) => Number(a.centering === "cell") - Number(b.centering === "cell")),
        file: legacyFile(grid, many),
      }),
    ];
    if (grid.kind === "rectilinear") return fc.oneof(...common);
    return fc.oneof(
      ...common,
      order.map((order) => ({ grid, fields: node, file: rawFile(grid, node[0], order) })),
      fc.tuple(order, fc.boolean()).map(([order, isDetached]) => ({
        grid,
        fields: node,
        file: nrrdFile(grid, node[0], order, isDetached),
      })),
    );
  }),
);

const aPart = fc.double({ min: 0, max: 1, noNaN: true });
/** Parts of the way along x, y and z, and further ones. */
const anyCorners = fc.array(fc.tuple(aPart, aPart), {
  minLength: 3,
  maxLength: 3,
});

const planesOf = (dims: Triple, first: number, end: number): Box => ({
  first: [0, 0, first],
  end: [dims[0], dims[1], end],
});

/** A box's values, one by one. */
function pick(data: TypedArray, dims: Triple, { first, end }: Box, components: number): TypedArray {
  const numbers: number[] = [];
  for (let z = first[2]; z < end[2]; z++)
    for (let y = first[1]; y < end[1]; y++)
      for (let x = first[0]; x < end[0]; x++)
        for (let c = 0; c < components; c++) numbers.push((x + dims[0] * (y + dims[1] * z)) * components + c);
  const picked = data.slice(0, numbers.length);
  for (const [i, number] of numbers.entries()) picked[i] = data[number];
  return picked;
}

describe("files whose values are read by boxes", () => {
  test("give any box of any field, to the bit, by reading what it spans and the header alone", async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, anyCorners, async ({ grid, fields, file }, corners) => {
        const { source, options, count } = counted(file);
        const data = await open({ source, options });
        expect(data.grid).toEqual(grid);
        expect(count.bytes).toBeLessThan(headerBytes(fields.length));
        expect(data.fields.map(({ values, ...field }) => field)).toEqual(
          fields.map(({ data, ...field }) => field),
        );
        for (const [i, { centering, components, dtype, values }] of data.fields.entries()) {
          const dims = valueDims(grid, centering);
          const width = bytesPerElement(dtype) * components;
          const ends = corners.map(([a, b], axis) => [
            Math.floor(Math.min(a, b) * dims[axis]),
            Math.ceil(Math.max(a, b) * dims[axis]),
          ]);
          const [x, y, z] = ends;
          const box: Box = { first: [x[0], y[0], z[0]], end: [x[1], y[1], z[1]] };
          count.bytes = 0;
          expect(await values(box, noJob)).toEqual(pick(fields[i].data, dims, box, components));
          const inside = box.end.map((each) => each - 1);
          const spanned =
            boxCount(box) &&
            1 +
              numberInBox(wholeBox(dims), [inside[0], inside[1], inside[2]]) -
              numberInBox(wholeBox(dims), box.first);
          expect(count.bytes).toBe(spanned * width);
          const planes = planesOf(dims, z[0], z[1]);
          count.bytes = 0;
          expect(await values(planes, noJob)).toEqual(pick(fields[i].data, dims, planes, components));
          expect(count.bytes).toBe(boxCount(planes) * width);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("give an empty box without reading", async () => {
    const grid: Grid = { kind: "uniform", dims: [1, 1, 4], origin: [0, 0, 0], spacing: [1, 1, 1] };
    const field: FileField = {
      name: "f",
      centering: "node",
      components: 1,
      dtype: "i8",
      data: Int8Array.of(1, 2, 3, 4),
    };
    const { source, options, count } = counted(legacyFile(grid, [field]));
    const data = await open({ source, options });
    count.bytes = 0;
    const empty = await data.fields[0].values({ first: [0, 0, 0], end: [0, 1, 2] }, noJob);
    expect(empty).toEqual(new Int8Array(0));
    expect(count.bytes).toBe(0);
  });

  test("whose axes run backwards give the planes of the reversed whole", async () => {
    const dims: Triple = [3, 4, 5];
    for (const backwards of [[0], [1], [2], [0, 1, 2]]) {
      const [x, y, z] = [0, 1, 2].map((i) => (backwards.includes(i) ? -0.5 : 0.5));
      const grid: Grid = { kind: "uniform", dims, origin: [0, 0, 0], spacing: [x, y, z] };
      const shape = { name: "f0", centering: "node", components: 2, dtype: "i16" } as const;
      const file = xmlFile(grid, [{ ...shape, data: valuesOf(grid, shape, 5) }], "big", 4);
      const bytes = await file.source.read(0, file.source.size);
      const whole = await readBytes(bytes, "a.vti");
      const at = (i: number, length: number, axis: number) => (backwards.includes(axis) ? length - 1 - i : i);
      const [values] = (await open(file)).fields;
      const planes = await values.values(planesOf(dims, 1, 3), noJob);
      expect(planes).toEqual(whole.fields[0].data.slice(24, 72));
      const box: Box = { first: [1, 0, 2], end: [3, 3, 5] };
      expect(await values.values(box, noJob)).toEqual(pick(whole.fields[0].data, dims, box, 2));
      const stored = valuesOf(grid, shape, 5);
      const node = at(1, 3, 0) + 3 * (at(2, 4, 1) + 4 * at(2, 5, 2));
      expect(planes[2 * (1 + 3 * (2 + 4 * 1))]).toBe(stored[2 * node]);
    }
  });

  test("that other programs wrote give what the whole gives, whatever the encoding", async () => {
    for (const name of [
      "image-raw-none-64-be.vti",
      "image-base64-none-32-le.vti",
      "image-raw-zlib-32-be.vti",
      "rectilinear-raw-none-64-le.vtr",
      "rectilinear-binary-v42.vtk",
      "types-binary.vtk",
      "extent-binary.vtk",
      "raw-be.nrrd",
      "gzip.nrrd",
      "wavelet-pieces.vti",
    ]) {
      const bytes = await fixtureBytes(name);
      const whole = await readBytes(bytes, name);
      const { fields, grid } = requireGrid(
        await openData({ name, size: bytes.length, read: async (from, to) => bytes.slice(from, to) }, noJob),
      );
      for (const [i, { centering, components, values }] of fields.entries()) {
        const dims = valueDims(grid, centering);
        const [nx, ny, nz] = dims;
        const middle = Math.floor(nz / 2);
        const parts = [
          await values(planesOf(dims, 0, middle), noJob),
          await values(planesOf(dims, middle, nz), noJob),
        ];
        const { data } = whole.fields[i];
        const at = middle * nx * ny * components;
        expect(parts).toEqual([data.slice(0, at), data.slice(at)]);
        const box: Box = { first: [0, Math.floor(ny / 2), 0], end: [Math.ceil(nx / 2), ny, nz] };
        expect(await values(box, noJob)).toEqual(pick(data, dims, box, components));
      }
    }
  });

  test("beyond 2 GiB are read where they lie", async () => {
    const dims: Triple = [1024, 1024, 4096];
    const asked: (readonly [number, number])[] = [];
    const size = 8 * 1024 * 1024 * 4096;
    const source: Source = {
      name: "large.raw",
      size,
      async read(from, to) {
        asked.push([from, to]);
        return new Uint8Array(to - from);
      },
    };
    const raw: RawOptions = {
      dims,
      dtype: "f64",
      components: 1,
      byteOrder: "little",
      headerBytes: 0,
      origin: [0, 0, 0],
      spacing: [1, 1, 1],
    };
    const [field] = requireGrid(await openData(source, noJob, { raw })).fields;
    asked.length = 0;
    expect((await field.values(planesOf(dims, 4094, 4096), noJob)).length).toBe(2 * 1024 * 1024);
    expect(asked[0][0]).toBe(8 * 1024 * 1024 * 4094);
    expect(asked.at(-1)?.[1]).toBe(size);
    expect(asked.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(16 * 1024 * 1024);
    asked.length = 0;
    const column: Box = { first: [0, 500, 4095], end: [1024, 502, 4096] };
    expect((await field.values(column, noJob)).length).toBe(2 * 1024);
    expect(asked).toEqual([[8 * 1024 * (500 + 1024 * 4095), 8 * 1024 * (502 + 1024 * 4095)]]);
    // Between parts of rows lie 7 KiB, which are read, too, and between planes 8 MiB, which are not.
    asked.length = 0;
    await field.values({ first: [0, 0, 0], end: [128, 3, 2] }, noJob);
    const run = 8 * (2 * 1024 + 128);
    expect(asked).toEqual([
      [0, run],
      [2 ** 23, 2 ** 23 + run],
    ]);
  });
});

test("generated samples give any box of the whole, to the bit", async () => {
  for (const [whole, stored] of [
    [await tangle(9, noJob), storedTangle(9)],
    [await hydrogenOrbital(9, noJob), storedHydrogenOrbital(9)],
  ] as const) {
    expect({ ...stored, fields: [] }).toEqual({ ...whole, fields: [] });
    expect(stored.fields.map(({ values, ...field }) => field)).toEqual(
      whole.fields.map(({ data, ...field }) => field),
    );
    for (const [i, { values }] of stored.fields.entries()) {
      const boxes: Box[] = [
        ...[0, 3, 8].map((first) => planesOf([9, 9, 9], first, 9)),
        emptyBox,
        { first: [1, 2, 3], end: [8, 3, 9] },
      ];
      for (const box of boxes)
        expect(await values(box, noJob)).toEqual(pick(whole.fields[i].data, [9, 9, 9], box, 1));
    }
  }
});
