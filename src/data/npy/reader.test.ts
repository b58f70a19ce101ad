import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { pressure, rectilinearGrid, velocity } from "../testing/expected.ts";
import { fixtureBytes, plain, readBytes, readFixture } from "../testing/fixtures.ts";

const grid = { kind: "uniform", dims: [4, 3, 2], origin: [0, 0, 0], spacing: [1, 1, 1] };
const numbered = "NumPy's arrays describe no grid: points are 1 apart, from 0 on.";
const named = (field: typeof pressure) => ({ ...field, name: "values" });

describe("an array that NumPy wrote", () => {
  test.each([
    ["c-order.npy", named(pressure), []],
    ["fortran-order.npy", named(pressure), ["It is stored in Fortran's order, so that its first axis is x."]],
    ["vectors-be.npy", named(velocity), ["Its last axis is taken as 3 components."]],
    ["vectors-first.npy", named(velocity), ["Its first axis is taken as 3 components."]],
  ])("%s", async (name, field, notes) => {
    expect(plain(await readFixture(name))).toEqual({ grid, fields: [field], notes: [numbered, ...notes] });
  });

  test("halves become floats that hold them", async () => {
    const { fields } = plain(await readFixture("halves.npy"));
    expect(fields[0]).toMatchObject({ components: 1, dtype: "f32" });
    expect(fields[0].values).toEqual([0, -7.5, 2 ** -24, 65504, Number.NEGATIVE_INFINITY, Number.NaN]);
  });

  test("a complex number has two components", async () => {
    const { fields, grid: flat } = plain(await readFixture("complex.npy"));
    expect(flat).toEqual({ ...grid, dims: [4, 3, 1] });
    expect(fields[0]).toMatchObject({ components: 2, dtype: "f32" });
    expect(fields[0].values.slice(0, 4)).toEqual([-7, 1, -6.5, 1]);
  });

  test("bytes with a last axis of three are colours", async () => {
    const { fields, grid: flat } = plain(await readFixture("colors.npy"));
    expect(flat).toEqual({ ...grid, dims: [5, 6, 1] });
    expect(fields[0]).toMatchObject({ components: 3, dtype: "u8" });
    expect(fields[0].values).toEqual(Array.from({ length: 90 }, (_, i) => i));
  });
});

const leftOut = "An array of another shape was left out: times.";
const ofVelocity = "X Velocity: Its last axis is taken as 3 components.";

describe("an archive that NumPy wrote", () => {
  test("with coordinates", async () => {
    const { fields, notes, grid: listed } = plain(await readFixture("rectilinear.npz"));
    expect(listed).toEqual(rectilinearGrid);
    expect(fields).toEqual([pressure, velocity]);
    expect(notes).toEqual([ofVelocity, leftOut]);
  });

  test("compressed, without coordinates", async () => {
    const { fields, notes, grid: uniform } = plain(await readFixture("numbered.npz"));
    expect(uniform).toEqual(grid);
    expect(fields).toEqual([pressure, velocity]);
    expect(notes).toEqual([ofVelocity, numbered, leftOut]);
  });

  test("coordinates that do not rise are none", async () => {
    const archive = zipSync({
      "u.npy": saved("<f4", [3], new Float32Array(3)),
      "x.npy": saved("<i4", [3], Int32Array.of(0, 2, 1)),
    });
    const { grid: uniform, fields } = plain(await readBytes(archive, "a.npz"));
    expect(uniform).toMatchObject({ kind: "uniform", dims: [3, 1, 1] });
    expect(fields.map(({ name }) => name)).toEqual(["u", "x"]);
  });

  test("without an array", async () => {
    const archive = zipSync({ "a.txt": Uint8Array.of(1) });
    await expect(readBytes(archive, "a.npz")).rejects.toThrow(
      "“a.npz” has no array of numbers that is a field. Save arrays of up to three axes, and a fourth of components.",
    );
  });
});

test.each([
  [
    "five axes",
    saved("<f4", [2, 2, 2, 2, 2], new Float32Array(32)),
    "“a.npy” has the shape (2, 2, 2, 2, 2).",
  ],
  ["long doubles", saved("<f16", [1], new Float64Array(2)), "“a.npy” has elements of the type <f16"],
  [
    "vectors of complex numbers",
    saved("<c8", [1, 1, 1, 3], new Float32Array(6)),
    "“a.npy” has 3 components of complex numbers.",
  ],
])("%s are refused", async (_, bytes, message) => {
  await expect(readBytes(bytes, "a.npy")).rejects.toMatchObject({
    tag: "UnsupportedFormat",
    message: expect.stringContaining(message),
  });
});

test("an archive with a changed value has a wrong checksum", async () => {
  const bytes = (await fixtureBytes("numbered.npz")).slice();
  const at = Buffer.from(bytes).lastIndexOf("PK\x01\x02");
  new DataView(bytes.buffer).setUint32(at + 16, 1, true);
  await expect(readBytes(bytes, "a.npz")).rejects.toThrow(
    "“a.npz”, its archive: times.npy has a wrong checksum. The file is truncated or damaged.",
  );
});

test("an archive that is cut off", async () => {
  const bytes = await fixtureBytes("numbered.npz");
  await expect(readBytes(bytes.slice(0, bytes.length - 30), "a.npz")).rejects.toMatchObject({
    tag: "BadFile",
  });
});

/** A .npy file of version 1 in C order. */
function saved(description: string, shape: readonly number[], data: ArrayBufferView): Uint8Array {
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const header = `{'descr': '${description}', 'fortran_order': False, 'shape': (${axes}), }`;
  const padded = `${header.padEnd(117)}\n`;
  const lead = Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, padded.length, 0);
  const parts = [lead, new TextEncoder().encode(padded), new Uint8Array(data.buffer)];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
