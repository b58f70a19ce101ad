import { describe, expect, it } from "vitest";
import { wantedRaw } from "./raw-options.ts";

describe("the options that describe bare numbers", () => {
  it("have usual values but for dimensions and type", () => {
    expect(wantedRaw({})).toBeUndefined();
    expect(wantedRaw({ dims: "2,3,4", type: "u16" })).toEqual({
      dims: [2, 3, 4],
      dtype: "u16",
      byteOrder: "little",
      components: 1,
      headerBytes: 0,
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
    });
    const all = { "byte-order": "big", components: "3", header: "8", spacing: "1,1,.5", origin: "-1,0,1" };
    expect(wantedRaw({ dims: "2,3,4", type: "f64", ...all })).toMatchObject({
      byteOrder: "big",
      components: 3,
      headerBytes: 8,
      spacing: [1, 1, 0.5],
      origin: [-1, 0, 1],
    });
  });

  it.each([
    [{ dims: "2,2,2" }, "--dims is given without --type"],
    [{ header: "3" }, "--header is given without --dims"],
    [{ dims: "2,2", type: "f32" }, "not 3 numbers"],
    [{ dims: "2,2,2", type: "f16" }, "--type is “f16”"],
    [{ dims: "2,2,2", type: "f32", "byte-order": "middle" }, "--byte-order is “middle”"],
    [{ dims: "2,2,2", type: "f32", components: "two" }, "--components is “two”"],
  ])("are refused where they describe nothing: %o", (given, problem) => {
    expect(() => wantedRaw(given)).toThrow(problem);
  });
});
