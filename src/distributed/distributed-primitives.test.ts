import { describe, it } from "vitest";
import { describePrimitives } from "../core/primitives/testing/conformance/describe-primitives.ts";
import { comparePrograms } from "../core/primitives/testing/random-programs.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "./api.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { inProcess } from "./testing/in-process.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";

/** Parts that are empty, of one element, and around the blocks of the CPU's scans. */
const sizes = isSweep ? [0, 1, 2, 5, 16, 17, 31, 255, 256, 257, 1337, 4097] : [0, 1, 2, 5, 17, 256, 1337];
const reference = createCpuPrimitives();

const ranksOf = (size: number) =>
  inProcess(size).map((communicator) => createDistributedPrimitives(communicator, createCpuPrimitives()));

for (const size of isSweep ? [1, 2, 3, 4, 7, 8] : [2, 3, 4]) {
  // Two ranks are as three are, but that none has two neighbours.
  const [lengths, programs] = isSweep ? [sizes, 300] : size === 2 ? [[17], 15] : [sizes, 30];
  const ranks = async () => ranksOf(size);
  describePrimitives(`distributed over ${size} ranks`, ranks, lengths, { reference, programs });
}

describe("distributed primitives", () => {
  for (const size of isSweep ? [] : [1, 7, 8]) {
    it(`do what those of a CPU do, over ${size} ranks`, () =>
      comparePrograms(reference, ranksOf(size), { runs: 20, seed: size }));
  }
});

/** Vectors of the host's data are windows of longer ones: ranks have very different parts of them, or none. */
const uneven = (p: DistributedPrimitives): DistributedPrimitives => ({
  ...p,
  fromHost(type, data, components = 1) {
    const before = (data.length / components) % 3;
    const length = data.length * (before + 1);
    const words = new (data.constructor as new (length: number) => typeof data)(length);
    words.set(data, before * data.length);
    const end = length / components;
    return p.view(p.fromHost(type, words, components), end - data.length / components, end);
  },
});

describe("distributed primitives of uneven parts", () => {
  for (const size of isSweep ? [2, 3, 4, 8] : [4]) {
    it(`do what those of a CPU do, over ${size} ranks`, () =>
      comparePrograms(reference, ranksOf(size).map(uneven), { runs: isSweep ? 300 : 30, seed: 2 }));
  }
});
