import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identityMap, isInvolution } from "../../core/hypercube/index-map.ts";
import { mapOf, type Operation } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { elementsOf, rearrangementCases } from "../../core/hypercube/testing/rearrangements.ts";
import { counted, transformed } from "../../core/hypercube/testing/reference.ts";
import { shapeAndOperations } from "../../core/hypercube/testing/shapes.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { hostRearrangement } from "./rearrange.ts";

const sizes = [1, 2, 4, 8, 16] as const;

describe("index maps on the host", () => {
  it.each(rearrangementCases())("move elements of every size: $name", ({ lengths, text }) => {
    const operations = parseTransform(text);
    const map = mapOf(lengths, operations);
    const expected = operations.reduce(transformed, counted(lengths)).values;
    for (const bytes of lengths[0] > 10_000 ? ([1, 8] as const) : sizes) {
      const target = new Uint8Array(expected.length * bytes).fill(0xee);
      hostRearrangement(map, bytes).apply(elementsOf(counted(lengths).values, bytes), target);
      expectArraysClose(target, elementsOf(expected, bytes), {}, `${bytes} bytes`);
    }
  });

  it("move elements of random shapes by random sequences, in place where pairs are exchanged", () => {
    const after = (lengths: readonly number[], operation: Operation) => mapOf(lengths, [operation]).to;
    fc.assert(
      fc.property(shapeAndOperations(after), fc.constantFrom(...sizes), ({ lengths, operations }, bytes) => {
        const map = mapOf(lengths, operations);
        const expected = elementsOf(operations.reduce(transformed, counted(lengths)).values, bytes);
        const source = elementsOf(counted(lengths).values, bytes);
        const target = new Uint8Array(expected.length);
        const ready = hostRearrangement(map, bytes);
        ready.apply(source, target);
        expectArraysClose(target, expected);
        if (!isInvolution(map)) return;
        ready.apply(source, source);
        expectArraysClose(source, expected);
      }),
      { numRuns: isSweep ? 5000 : 25 },
    );
  });

  it("refuse lengths and sizes that do not fit, and places that would be overwritten", () => {
    const shifted = hostRearrangement(mapOf([8], parseTransform("shift(x, 3)")), 4);
    const words = new Uint32Array(8);
    expect(() => shifted.apply(words, words)).toThrow("does not exchange elements in pairs");
    expect(() => shifted.apply(words, new Uint32Array(7))).toThrow(
      "The target has 28 bytes where the map takes 8 elements",
    );
    expect(() => hostRearrangement(identityMap([8]), 3)).toThrow("Elements have 3 bytes.");
  });

  it("keep the bits of NaNs", () => {
    const nan = new Uint32Array([0x7ff00001, 0xfff80123, 0x7fc00042, 0x3f800000]);
    const target = new Float64Array(2);
    hostRearrangement(mapOf([2], parseTransform("flip(x)")), 8).apply(new Float64Array(nan.buffer), target);
    expect([...new Uint32Array(target.buffer)]).toEqual([0x7fc00042, 0x3f800000, 0x7ff00001, 0xfff80123]);
  });
});
