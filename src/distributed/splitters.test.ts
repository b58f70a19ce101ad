import { expect, it } from "vitest";
import { randomWords } from "../core/primitives/testing/data.ts";
import { cutsOf, type SortedPart, samplesFor, samplesOf, splittersOf } from "./splitters.ts";

const sorted = (keys: Uint32Array): SortedPart => {
  const inOrder = keys.slice().sort();
  return { length: inOrder.length, keyAt: (i) => inOrder[i] };
};

/** The longest part of a result on so many ranks, divided by n / p, and how many words all ranks have sampled. */
function longestPart(ranks: number, partOf: (rank: number) => Uint32Array) {
  const parts = Array.from({ length: ranks }, (_, rank) => sorted(partOf(rank)));
  const samples = parts.map((part, rank) => samplesOf(part, rank, ranks));
  const splitters = splittersOf(samples);
  const cuts = parts.map((part, rank) => cutsOf(part, rank, splitters, ranks));
  const lengths = parts.map((_, k) => cuts.reduce((sum, ofRank) => sum + ofRank[k + 1] - ofRank[k], 0));
  const n = parts.reduce((sum, { length }) => sum + length, 0);
  expect(lengths.reduce((a, b) => a + b)).toBe(n);
  const sampled = samples.reduce((sum, { keys }) => sum + keys.length, 0);
  return { longest: Math.max(...lengths) / (n / ranks), sampled };
}

const length = 4000;
const random = (rank: number) => randomWords(length, rank);
const counting = (from: number) => Uint32Array.from({ length }, (_, i) => from + i);

it.each([
  ["random keys", random],
  ["the same keys on all ranks", () => random(1)],
  ["equal keys", () => new Uint32Array(length)],
  ["keys in the ranks' order", (rank: number) => counting(length * rank)],
  ["few different keys", (rank: number) => random(rank).map((key) => key % 7)],
  ["keys that crowd more on each rank", (rank: number) => random(rank).map((key) => key >>> (rank % 31))],
  ["parts of different lengths", (rank: number) => random(rank).subarray(0, rank % 3 === 0 ? length : 500)],
])("balances sorts on 64 ranks by samples that are few: %s", (_, partOf) => {
  const { longest, sampled } = longestPart(64, partOf);
  expect(longest).toBeLessThan(1.125);
  expect(sampled).toBeLessThanOrEqual(64 * 256);
});

it("samples as many of each part as whatever keys need on few ranks, and as the square root of the ranks on many", () => {
  expect([2, 16, 64, 256, 1024].map(samplesFor)).toEqual([32, 256, 256, 512, 1024]);
});
