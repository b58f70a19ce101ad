import { describe, expect, it } from "vitest";
import { bitLayout, coordinateByBits, flipByBits, flipMask, indexByBits, neighborByBits } from "./bits.ts";
import { neighbor, toCoordinates, toIndex, withinBorder } from "./coordinates.ts";
import { sourceIndex } from "./index-map.ts";
import { mapOf } from "./operations.ts";
import {
  bytesOfElement,
  countOf,
  decompose,
  elementTypeOf,
  parseShape,
  printShape,
  productOf,
  stridesOf,
} from "./shape.ts";

describe("shapes", () => {
  it.each(["[128,128,128,int32]", "[7]", "[2,3,complex128]", "[1,1,1,1,1,1,1,1,1,2]"])(
    "print as they are read: %s",
    (text) => {
      expect(printShape(parseShape(text))).toBe(text);
    },
  );

  it("have the fastest axis last, and the type behind it", () => {
    expect(parseShape(" [ 2, 30,400 , uint8 ] ")).toEqual({ lengths: [400, 30, 2], type: "uint8" });
    expect(bytesOfElement(parseShape("[2,complex64]"))).toBe(8);
    expect(elementTypeOf("i16")).toBe("int16");
  });

  it.each([
    ["128,128", "A shape stands in brackets, as [64,64,float32] does (line 1, column 1)."],
    ["[4,,4]", "A length is missing (line 1, column 4)."],
    ["[4,int32,4]", "“int32” is not a length (line 1, column 4)."],
    ["[4, int23]", "“int23” is neither a length nor a type (perhaps int32) (line 1, column 5)."],
    ["[int32]", "“int32” is neither a length nor a type (perhaps int32) (line 1, column 2)."],
    ["[4,0]", "An axis has the length 0. Lengths are whole numbers from 1 on."],
    ["[1,1,1,1,1,1,1,1,1,1,1]", "A shape has 11 axes. Shapes have 1 to 10 axes."],
    [
      "[65536,65536]",
      "The shape [65536,65536] has more than 2³² − 1 elements. Make it smaller, or work on parts of it.",
    ],
  ])("refuse %s", (text, message) => {
    expect(() => parseShape(text)).toThrow(message);
  });

  it("multiply and decompose (equation 8)", () => {
    const [slow, fast] = decompose(parseShape("[4,5,6,int16]"), 1);
    expect([slow, fast].map(printShape)).toEqual(["[4,5]", "[6,int16]"]);
    expect(printShape(productOf(slow, fast))).toBe("[4,5,6,int16]");
    expect(() => productOf(fast, slow)).toThrow("Only the last factor has a type.");
    expect(() => decompose(fast, 1)).toThrow("A shape has 0 axes.");
  });

  it("have the strides of the seed's example, without its last product", () => {
    expect(stridesOf([4, 4, 4])).toEqual([1, 4, 16]);
    expect(countOf([65535, 65537])).toBe(2 ** 32 - 1);
  });
});

/** Shapes in one to six dimensions; those of powers of two have bits. */
const shapes = [
  [1],
  [5],
  [8],
  [3, 4],
  [8, 2, 4],
  [2, 1, 3, 2],
  [2, 2, 4, 1, 2],
  [2, 3, 1, 2, 2, 3],
  [4, 2, 2, 1, 2, 2],
];
const ofBits = shapes.filter((lengths) => lengths.every((length) => Number.isInteger(Math.log2(length))));
const indices = (lengths: readonly number[]) => Array.from({ length: countOf(lengths) }, (_, k) => k);

describe("indices (equations 9 and 10)", () => {
  it.each(shapes)("count elements with axis 0 the fastest: %j", (...lengths) => {
    const counter = lengths.map(() => 0);
    for (const k of indices(lengths)) {
      expect(toCoordinates(lengths, k)).toEqual(counter);
      expect(toIndex(lengths, counter)).toBe(k);
      for (let axis = 0; axis < lengths.length && ++counter[axis] === lengths[axis]; axis++)
        counter[axis] = 0;
    }
  });

  it("hold up to the last of 2³² − 1 elements", () => {
    expect(toIndex([65535, 65537], [65534, 65536])).toBe(2 ** 32 - 2);
    expect(toCoordinates([65535, 65537], 2 ** 32 - 2)).toEqual([65534, 65536]);
  });
});

describe("neighbours", () => {
  it("are on the other side, nowhere, or mirrored beyond a border", () => {
    const along = (border: "periodic" | "fixed" | "reflecting") =>
      [-7, -4, -1, 0, 2, 3, 5, 6].map((x) => withinBorder(x, 3, border));
    expect(along("periodic")).toEqual([2, 2, 2, 0, 2, 0, 2, 0]);
    expect(along("fixed")).toEqual([undefined, undefined, undefined, 0, 2, undefined, undefined, undefined]);
    expect(along("reflecting")).toEqual([0, 2, 0, 0, 2, 2, 0, 0]);
  });

  it.each(shapes)("differ along their axis alone, at any distance: %j", (...lengths) => {
    for (const axis of lengths.keys()) {
      for (const distance of [-9, -1, 0, 2, 11]) {
        const expected = indices(lengths).map((k) => {
          const at = toCoordinates(lengths, k);
          at[axis] = (at[axis] + distance + 12 * lengths[axis]) % lengths[axis];
          return toIndex(lengths, at);
        });
        expect(indices(lengths).map((k) => neighbor(lengths, k, axis, distance))).toEqual(expected);
      }
    }
  });

  it("refuse axes and elements that there are not", () => {
    expect(() => neighbor([4, 4], 0, 2, 1)).toThrow("There is no axis 2. The axes are 0 to 1.");
    expect(() => neighbor([4, 4], 16, 0, 1)).toThrow("There is no element 16. The elements are 0 to 15.");
  });
});

describe("bits (equations 11 to 16 and 19 to 21)", () => {
  it("have the seed's example, with 0x00F where it prints 0c00F", () => {
    expect(bitLayout([16, 16, 16])).toEqual({
      bits: [4, 4, 4],
      offsets: [0, 4, 8],
      masks: [0x00f, 0x0f0, 0xf00],
      inverses: [0xff0, 0xf0f, 0x0ff],
    });
    expect(flipMask(bitLayout([16, 16, 16]), [0, 2])).toBe(0xf0f);
    expect(() => bitLayout([16, 12])).toThrow("12 in [12,16] is not a power of two.");
  });

  it.each(ofBits)("give what division gives: %j", (...lengths) => {
    const layout = bitLayout(lengths);
    const all = indices(lengths);
    const coordinates = all.map((k) => toCoordinates(lengths, k));
    expect(all.map((k) => lengths.map((_, axis) => coordinateByBits(layout, k, axis)))).toEqual(coordinates);
    expect(coordinates.map((at) => indexByBits(layout, at))).toEqual(all);
    for (const axis of lengths.keys()) {
      for (const n of [-5, 1]) {
        expect(all.map((k) => neighborByBits(layout, k, axis, n))).toEqual(
          all.map((k) => neighbor(lengths, k, axis, n)),
        );
      }
      const flipped = all.map(sourceIndex(mapOf(lengths, [{ kind: "flip", axes: [axis] }])));
      const mask = flipMask(layout, [axis]);
      expect(all.map((k) => flipByBits(k, mask))).toEqual(flipped);
      // Equation 21 as the seed writes it.
      expect(all.map((k) => ((~k | ~mask) & (k | mask)) >>> 0)).toEqual(flipped);
    }
  });

  it("hold for indices beyond 2³¹", () => {
    const layout = bitLayout([2 ** 16, 2 ** 15]);
    expect(indexByBits(layout, [5, 2 ** 15 - 1])).toBe(2 ** 31 - 2 ** 16 + 5);
    expect(neighborByBits(layout, 2 ** 31 - 1, 1, 1)).toBe(2 ** 16 - 1);
  });
});
