/** Arrays of as many elements as a shape can have, 2³² − 1: indices stay exact up to the last one. */
import { constants } from "node:buffer";
import { describe, expect, it } from "vitest";
import { effectiveIndex, sourceIndex } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { indexLoop } from "./index-loop.ts";
import { hostRearrangement } from "./rearrange.ts";

/** Where the values of an element come from, in whole numbers of any size. */
type Source = (index: bigint) => bigint;

/** A value that differs from those of elements nearby, and 2¹⁶, 2²⁴ or 2³¹ elements away. */
const byteOf = (index: number): number => (Math.imul(index, 0x9e3779b1) >>> 24) ^ (index & 255);

const count = 2 ** 32 - 1;
const [width, height] = [65_535n, 65_537n];

const ofRows =
  (from: (x: bigint, y: bigint) => readonly [bigint, bigint]): Source =>
  (index) => {
    const [x, y] = from(index % width, index / width);
    return x + width * y;
  };

const cases: readonly (readonly [lengths: readonly number[], text: string, source: Source])[] = [
  [
    [65_535, 65_537],
    "shift(x, 3) | flip(y) | shift(y, -5)",
    ofRows((x, y) => [(x - 3n + width) % width, height - 1n - ((y + 5n) % height)]),
  ],
  [
    [65_535, 65_537],
    "crinkle(x, 5) | flip(x)",
    ofRows((x, y) => {
      const at = width - 1n - x;
      return [5n * (at % 13_107n) + at / 13_107n, y];
    }),
  ],
  [
    [2 ** 32 - 1],
    "shift(x, 7) | flip(x)",
    (index) => (2n ** 32n - 2n - index - 7n + 2n ** 32n - 1n) % (2n ** 32n - 1n),
  ],
  [[65_535, 65_537], "transpose(x, y)", (index) => index / height + width * (index % height)],
];

describe("the largest arrays", () => {
  it.each(cases)("%j have exact indices by %s, up to the last one", (lengths, text, source) => {
    const map = mapOf(lengths, parseTransform(text));
    const [loop, at] = [indexLoop(effectiveIndex(map)), sourceIndex(map)];
    const found = new Uint32Array(500);
    for (const first of [0, 2 ** 16 - 100, 2 ** 31 - 250, count - 2 ** 17 - 3, count - found.length]) {
      loop(first, found);
      const expected = Array.from(found, (_, k) => Number(source(BigInt(first + k))));
      expectArraysClose(found, expected);
      expect(Array.from(found, (_, k) => at(first + k))).toEqual(expected);
    }
  });

  it("are refused with one element more", () => {
    expect(countOf([65_535, 65_537])).toBe(count);
    expect(() => mapOf([65_536, 65_536], [])).toThrow(
      "The shape [65536,65536] has more than 2³² − 1 elements.",
    );
  });

  it.runIf(isSweep)("are moved whole, a byte an element", { timeout: 1_200_000 }, async ({ annotate }) => {
    expect(constants.MAX_LENGTH).toBeGreaterThanOrEqual(count);
    const from = new Uint8Array(count);
    for (let i = 0; i < count; i++) from[i] = byteOf(i);
    const to = new Uint8Array(count);
    // By rows that are copied or gathered, and element by element, as transposed ones are, too.
    for (const [lengths, text, source] of cases.slice(0, 3)) {
      to.fill(0);
      const began = performance.now();
      hostRearrangement(mapOf(lengths, parseTransform(text)), 1).apply(from, to);
      await annotate(`${text}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
      const borders = [0, 2 ** 16, 2 ** 31, 2 ** 31 + 2 ** 16, count - 2 ** 17].flatMap((first) =>
        Array.from({ length: 70_000 }, (_, k) => Math.min(first + k, count - 1)),
      );
      const spread = Array.from({ length: 200_000 }, (_, k) => (k * 21_473 + 12_345) % count);
      let wrong = 0;
      for (const index of [...borders, ...spread, count - 1]) {
        if (to[index] !== byteOf(Number(source(BigInt(index))))) wrong++;
      }
      expect(wrong).toBe(0);
    }
  });
});
