import { gzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesSource } from "../source.ts";
import { imageGrid, pressure, velocity } from "../testing/expected.ts";
import { fixtureBytes, plain, readBytes, readFixture } from "../testing/fixtures.ts";

const values = { ...pressure, name: "values" };
const notes = ["Lengths are in millimetres."];

test.each(["float.nii", "two-be.nii"])("%s", async (name) => {
  expect(plain(await readFixture(name))).toEqual({ grid: imageGrid, fields: [values], notes });
});

test("a header with its values beside it, and without", async () => {
  const header = await fixtureBytes("pair.hdr");
  const image = bytesSource(await fixtureBytes("pair.img"), "pair.img");
  const companions = (name: string) => (name === "pair.img" ? image : undefined);
  expect(plain(await readBytes(header, "pair.hdr", { companions })).fields).toEqual([values]);
  await expect(readBytes(header, "pair.hdr")).rejects.toThrow(
    "“pair.hdr” keeps its values in “pair.img”, which is missing. Open both files together.",
  );
});

test("slope and intercept", async () => {
  expect(plain(await readFixture("scaled.nii"))).toEqual({ grid: imageGrid, fields: [values], notes });
});

test("components, which the file keeps apart", async () => {
  const fields = [{ ...velocity, name: "values" }];
  expect(plain(await readFixture("vector.nii"))).toEqual({ grid: imageGrid, fields, notes });
});

test("the first of several time steps, within gzip", async () => {
  const packed = gzipSync(await fixtureBytes("steps.nii"));
  const { fields, notes: said } = plain(await readBytes(packed, "steps.nii.gz"));
  expect(fields[0].values).toEqual(Array.from({ length: 24 }, (_, i) => i));
  expect(said).toEqual([...notes, "The first of 3 time steps is read."]);
});

test("an image that is turned keeps its lengths", async () => {
  const { grid, notes: said } = plain(await readFixture("turned.nii"));
  expect(grid).toMatchObject({ dims: [4, 3, 2], origin: [0, 0, 0] });
  const { spacing } = grid as { spacing: readonly number[] };
  [0.5, 0.25, 2].forEach((length, axis) => {
    expect(spacing[axis]).toBeCloseTo(length, 6);
  });
  expect(said[0]).toMatch(/^The image is rotated in space/);
});

describe("changed headers", () => {
  const changed = async (change: (view: DataView) => void, name = "float.nii") => {
    const bytes = (await fixtureBytes(name)).slice();
    change(new DataView(bytes.buffer));
    return plain(await readBytes(bytes, name));
  };

  test("radiological order runs backwards along x, and is reversed", async () => {
    const { grid, fields } = await changed((view) => view.setFloat32(280, -0.5, true));
    expect(grid).toMatchObject({ origin: [-2.5, 2.5, 10], spacing: [0.5, 0.25, 2] });
    expect(fields[0].values.slice(0, 4)).toEqual(values.values.slice(0, 4).toReversed());
  });

  test("axes that are not at right angles", async () => {
    const { grid, notes: said } = await changed((view) => view.setFloat32(284, 0.25, true));
    expect(grid).toMatchObject({ origin: [0, 0, 0] });
    expect(said[0]).toMatch(/^The image's axes are not at right angles/);
  });

  test("neither transform: lengths along the axes", async () => {
    const { grid } = await changed((view) => view.setUint32(252, 0));
    expect(grid).toMatchObject({ origin: [0, 0, 0], spacing: [0.5, 0.25, 2] });
  });

  test.each([
    ["no axes", 40, 0, "0 axes are stated, where 1 to 7 are expected"],
    ["a size below 1", 42, -3, "an axis of size -3 is stated"],
    ["an unknown type", 70, 1536, "has values of NIfTI's type 1536"],
    ["more values than there are", 42, 400, "the field"],
  ])("%s", async (_, at, value, message) => {
    await expect(changed((view) => view.setInt16(at, value, true))).rejects.toThrow(message);
  });

  test("six axes", async () => {
    const many = changed((view) => {
      view.setInt16(40, 6, true);
      view.setInt16(52, 2, true);
    });
    await expect(many).rejects.toThrow("has axes of sizes 4, 3, 2, 1, 1, 2, 1.");
  });
});
