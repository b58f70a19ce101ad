import { describe, expect, it } from "vitest";
import { communicatorOf } from "../cluster/communicator/group-communicator.ts";
import { makeRoom } from "../cluster/membership/testing/room.ts";
import { randomOf } from "../cluster/transport/testing/random.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { mortal } from "./testing/mortal.ts";
import { sortedByRanks } from "./testing/sort-again.ts";

const seeds = process.env.CRINKLE_SWEEP === "1" ? 3000 : 20;

const random = randomOf(7);
const values = Float32Array.from({ length: 61 }, () => Math.floor(40 * random()) / 8 - 2);
const expected = values.toSorted();

const readShare = async (rank: number, size: number) => {
  const [from, to] = [rank, rank + 1].map((at) => Math.floor((at * values.length) / size));
  return values.subarray(from, to);
};

/** Where nodes die: as they begin the call of this number. */
type Deaths = ReadonlyMap<number, number>;

/** Sorts on so many ranks, of which some die. Resolves to the results of the others, and each node's calls. */
async function sorted(size: number, deaths: Deaths, seed: number, isSilent = false) {
  const { network, seen } = makeRoom(size, { seed });
  const calls: string[][] = seen.map(() => []);
  const dead = new Set<number>();
  const results: (Float32Array | undefined)[] = seen.map(() => undefined);
  const failures: unknown[] = [];
  for (const [node, { member }] of seen.entries()) {
    const world = mortal(communicatorOf(member.epoch.world), (call) => {
      if (deaths.get(node) === calls[node].length && !dead.has(node)) {
        dead.add(node);
        network.kill(node, isSilent);
      }
      calls[node].push(call);
      return !dead.has(node);
    });
    const ended = sortedByRanks(world, createCpuPrimitives(), readShare).then(async (result) => {
      results[node] = result;
      await member.leave();
    });
    ended.catch((error) => failures.push(error));
  }
  const isOver = () => results.every((result, node) => result || dead.has(node));
  await network.run(() => isOver() || failures.length > 0, 300_000);
  if (failures.length > 0) throw failures[0];
  if (!isOver()) throw new Error("Ranks wait for ever.");
  return { results: results.filter((_, node) => !dead.has(node)), calls, deaths: dead.size };
}

const gathers = Array<string>(3).fill("allgather");
/** The calls of a rank that sorts. */
const once = ["allreduce", "dup", ...gathers.slice(1), "alltoall", ...gathers];

describe("a sort on ranks of which some die", () => {
  it("is that of all values where one dies in any of its calls", async () => {
    const size = 3;
    const { calls, results } = await sorted(size, new Map(), 1);
    expect(results).toEqual([expected, expected, expected]);
    for (const [victim, own] of calls.entries()) {
      // The first that has left ends the others' last call.
      const [calls, last, ...more] = [own.slice(0, once.length), ...own.slice(once.length)];
      expect([calls, last]).toEqual([once, "allreduce"]);
      expect([[], ["shrink", "allreduce"]]).toContainEqual(more);
      for (const [at, call] of [...calls, last].entries()) {
        const found = await sorted(size, new Map([[victim, at]]), at, at % 2 === 1);
        expect(found.results, `node ${victim} at call ${at}, ${call}`).toEqual([expected, expected]);
      }
    }
  });

  it("is that of all values where another dies while the others begin again", async () => {
    const size = 5;
    let twice = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const random = randomOf(seed);
      const first = Math.floor(size * random());
      const second = (first + 1 + Math.floor((size - 1) * random())) % size;
      const before = Math.floor(once.length * random());
      // It has at least begun again by then, and is not done.
      const after = Math.floor((before + once.length - 3) * random());
      const deaths = new Map([
        [first, before],
        [second, after],
      ]);
      const found = await sorted(size, deaths, seed, random() < 0.5);
      const what = `seed ${seed}: node ${first} at call ${before}, node ${second} at call ${after}`;
      expect(found.results, what).toEqual(Array(size - found.deaths).fill(expected));
      twice += found.deaths - 1;
    }
    expect(twice).toBeGreaterThan(seeds / 2);
  }, 1_800_000);
});
