import { describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import type { Communicator } from "../communicator/communicator.ts";
import { valuesOf } from "../communicator/testing/run-ranks.ts";
import { check } from "./check.ts";

/** The same communicator, whose alltoall loses the part of rank 0. */
const forgetful = (world: Communicator) =>
  new Proxy(world, {
    get(target, name) {
      if (name === "alltoall") {
        return async (parts: Parameters<Communicator["alltoall"]>[0]) =>
          (await target.alltoall(parts)).with(0, new Float32Array(1));
      }
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/** The results on rank 0, with ranks in memory. */
async function checked(size: number, seenAs: (world: Communicator) => Communicator = (world) => world) {
  const fractions: number[] = [];
  const [results, ...others] = await valuesOf(size, { seed: size, delay: [1, 2] }, (world) =>
    check.run(
      {
        communicator: seenAs(world),
        engine: undefined,
        context: {
          ...noJob,
          progress: (fraction) => {
            if (world.rank === 0) fractions.push(fraction);
          },
        },
      },
      { longBytes: 200_000 },
    ),
  );
  expect(others.every((other) => other === undefined)).toBe(true);
  return { results: results ?? [], fractions };
}

describe("a check of every call", () => {
  it.each([1, 2, 3, 5])("passes on %i ranks", async (size) => {
    const { results, fractions } = await checked(size);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.length).toBeGreaterThan(100);
    expect(new Set(results.map(({ name }) => name)).size).toBe(results.length);
    expect(fractions.length).toBe(results.length);
    expect(fractions.at(-1)).toBe(1);
  });

  it("reports what a rank received wrongly", async () => {
    const { results } = await checked(2, (world) => (world.rank === 1 ? forgetful(world) : world));
    const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(failed.length).toBeGreaterThan(10);
    for (const name of failed) expect(name).toMatch(/^alltoall|values$/);
  });

  it("has a size", () => {
    expect(check.parse({ longBytes: 12 })).toEqual({ longBytes: 12 });
    expect(() => check.parse({ longBytes: 2 ** 40 })).toThrow("out of range");
    expect(() => check.parse(null)).toThrow("out of range");
  });
});
