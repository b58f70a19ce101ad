import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dtypes } from "../../core/dtype.ts";
import type { Data, Value } from "./communicator.ts";
import { copyData, decodeData, encodeData, maxValueBytes, maxValueDepth, valueCode } from "./data.ts";
import { expectSame, numbers } from "./testing/data.ts";

const through = (data: Data) => decodeData(encodeData(data, "send"));
const refusal = expect.objectContaining({ tag: "BadArgument", mpi: "MPI_ERR_TYPE", operation: "send" });
const malformed = expect.objectContaining({ tag: "BadMessage" });
const utf8 = (text: string) => new TextEncoder().encode(text);

describe("arrays", () => {
  it("keep their own memory and survive a round trip", () => {
    for (const dtype of dtypes) {
      for (const length of [0, 1, 33]) {
        const array = numbers(dtype, length, length);
        const encoded = encodeData(array, "send");
        expect(encoded.bytes.buffer).toBe(array.buffer);
        expectSame(decodeData(encoded), array);
      }
    }
    const view = (numbers("f32", 9, 1) as Float32Array).subarray(2, 5);
    expectSame(through(view), view.slice());
  });

  it("are read in place, unless they are misaligned", () => {
    const bytes = numbers("u8", 40, 3) as Uint8Array;
    const code = dtypes.indexOf("f64");
    const there = decodeData({ code, bytes: bytes.subarray(8, 24) }) as Float64Array;
    expect(there.buffer).toBe(bytes.buffer);
    const moved = decodeData({ code, bytes: bytes.subarray(3, 19) }) as Float64Array;
    expectSame(new Uint8Array(moved.buffer), bytes.slice(3, 19));
  });

  it("of unknown types or broken lengths are malformed", () => {
    expect(() => decodeData({ code: valueCode + 1, bytes: new Uint8Array(8) })).toThrow(malformed);
    expect(() => decodeData({ code: dtypes.indexOf("i16"), bytes: new Uint8Array(7) })).toThrow(malformed);
  });

  it("are copied completely", () => {
    const array = numbers("i64", 3, 1);
    const copy = copyData(array);
    expectSame(copy, array);
    expect(copy.buffer).not.toBe(array.buffer);
  });
});

describe("values", () => {
  it("survive a round trip", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (json) => {
        const value = json as Value;
        expect(through(value)).toEqual(value);
        expect(copyData(value)).toEqual(value);
      }),
      { seed: 5, numRuns: 60 },
    );
    for (const value of ["lone \ud800 half", -0, [-0, 0], { "": -0, "a b": [[], {}] }, 5e-324, null, true]) {
      expect(through(value)).toEqual(value);
    }
    const named = JSON.parse('{"__proto__":{"x":1}}') as Value;
    expect(Object.keys(through(named) as object)).toEqual(["__proto__"]);
  });

  it("are refused if JSON would change them", () => {
    const deep = (depth: number): Value => (depth === 0 ? [] : [deep(depth - 1)]);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(through(deep(maxValueDepth - 1))).toEqual(deep(maxValueDepth - 1));
    const refused: unknown[] = [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      Symbol("s"),
      () => 1,
      { a: undefined },
      new Array(1),
      { list: [{ x: Number.NaN }] },
      new Date(0),
      new Map(),
      new DataView(new ArrayBuffer(8)),
      new Uint8ClampedArray(3),
      { toJSON: () => 1 },
      circle,
      deep(maxValueDepth),
    ];
    for (const value of refused) expect(() => encodeData(value as Data, "send")).toThrow(refusal);
  });

  it("have a maximum length", () => {
    const text = (bytes: number) => "ä".repeat((bytes - 2) / 2);
    expect(encodeData(text(maxValueBytes), "send").bytes.length).toBe(maxValueBytes);
    expect(() => encodeData(text(maxValueBytes + 2), "send")).toThrow(refusal);
    const long = utf8(`"${text(maxValueBytes)} "`);
    expect(() => decodeData({ code: valueCode, bytes: long })).toThrow(malformed);
  });

  it("that are invalid are malformed", () => {
    const texts = ["", "{", "1e999", "[1,]", "undefined", "\ufeff1", `${"[".repeat(70)}${"]".repeat(70)}`];
    for (const text of texts) {
      expect(() => decodeData({ code: valueCode, bytes: utf8(text) })).toThrow(malformed);
    }
    expect(() => decodeData({ code: valueCode, bytes: Uint8Array.of(0x22, 0xff, 0x22) })).toThrow(malformed);
  });
});
