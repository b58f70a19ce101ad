import { describe, expect, it } from "vitest";
import { wantedRaw } from "./raw-options.ts";

describe("the options that describe bare numbers", () => {
  it("have usual values but for dimensions and type", () => {
    expect(wantedRaw({})).toBeUndefined();
    expect(wantedRaw({ dims: "2x3x4", dtype: "u16" })).toEqual({
      dims: [2, 3, 4],
      dtype: "u16",
      byteOrder: "little",
      components: 1,
      headerBytes: 0,
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
    });
    const all = { order: "big", components: "3", skip: "8", spacing: "1,1,.5", origin: "-1,0,1" };
    expect(wantedRaw({ dims: "2,3,4", dtype: "f64", ...all })).toMatchObject({
      byteOrder: "big",
      components: 3,
      headerBytes: 8,
      spacing: [1, 1, 0.5],
      origin: [-1, 0, 1],
    });
    expect(wantedRaw({ dims: "640x480", dtype: "u8" })?.dims).toEqual([640, 480, 1]);
  });

  it.each([
    [{ dims: "2x2x2" }, "--dims is given without --dtype. Bare numbers need both, as in --dims 64x64x64"],
    [{ skip: "3" }, "--skip is given without --dims"],
    [{ dims: "2x2x2x2", dtype: "f32" }, "“2x2x2x2”, which has 4 axes"],
    [{ dims: "2x2.5x2", dtype: "f32" }, "“2x2.5x2”, where “2.5” is not a number of points. Write"],
    [{ dims: "2xNaNx2", dtype: "f32" }, "where “NaN” is not a number of points"],
    [{ dims: "2x0x2", dtype: "f32" }, "where “0” is not a number of points"],
    [{ dims: "2x-3x2", dtype: "f32" }, "where “-3” is not a number of points"],
    [{ dims: "2x2x", dtype: "f32" }, "where “” is not a number of points"],
    [{ dims: "2x2x2", dtype: "f16" }, "--dtype is “f16”"],
    [{ dims: "2x2x2", dtype: "f32", order: "middle" }, "--order is “middle”"],
    [{ dims: "2x2x2", dtype: "f32", components: "two" }, "--components is “two”"],
    [{ dims: "2x2x2", dtype: "f32", components: "1.5" }, "The number of components is 1.5"],
    [{ dims: "2x2x2", dtype: "f32", skip: "-1" }, "The header's length is -1 bytes"],
    [{ dims: "2x2x2", dtype: "f32", spacing: "1,0,1" }, "The spacing is 1, 0, 1"],
  ])("are refused where they describe nothing: %o", (given, problem) => {
    expect(() => wantedRaw(given)).toThrow(problem);
  });
});
