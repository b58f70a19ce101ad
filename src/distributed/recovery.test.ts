import { describe, expect, it } from "vitest";
import type { Communicator } from "../cluster/communicator/communicator.ts";
import { communicatorOf } from "../cluster/communicator/group-communicator.ts";
import { makeRoom } from "../cluster/membership/testing/room.ts";
import { randomOf } from "../cluster/transport/testing/random.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { computedByRanks } from "./testing/again.ts";
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

/** What ranks compute together, each with its own share; the same on all of them. */
type Program<R> = (communicator: Communicator) => Promise<R>;

const sorting: Program<Float32Array> = (world) => sortedByRanks(world, createCpuPrimitives(), readShare);

/** Sorts on so many ranks, of which some die. Resolves to the results of the others, and each node's calls. */
const sorted = (size: number, deaths: Deaths, seed: number, isSilent = false) =>
  computed(sorting, size, seed, deaths, isSilent);

/** The same of any program; `killed` dies in the middle of whatever it does after so many of the network's events. */
async function computed<R>(
  program: Program<R>,
  size: number,
  seed: number,
  deaths: Deaths,
  isSilent = false,
  killed?: { readonly node: number; readonly steps: number },
) {
  const { network, seen } = makeRoom(size, { seed });
  const calls: string[][] = seen.map(() => []);
  const dead = new Set<number>();
  const results: (R | undefined)[] = seen.map(() => undefined);
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
    const ended = program(world).then(async (result) => {
      results[node] = result;
      await member.leave();
    });
    ended.catch((error) => failures.push(error));
  }
  const isOver = () => results.every((result, node) => result || dead.has(node));
  if (killed) {
    // Whoever has heard that all are done leaves; with one more dead those that have not may be too few to go on.
    const isLate = () => failures.length > 0 || calls.some(({ length }) => length > once.length);
    await network.run(() => isLate() || network.steps >= killed.steps, 300_000);
    if (!isLate()) {
      dead.add(killed.node);
      network.kill(killed.node, isSilent);
    }
  }
  await network.run(() => isOver() || failures.length > 0, 300_000);
  if (failures.length > 0) throw failures[0];
  if (!isOver()) throw new Error("Ranks wait for ever.");
  const { steps } = network;
  return { results: results.filter((_, node) => !dead.has(node)), calls, deaths: dead.size, steps };
}

const gathers = Array<string>(3).fill("allgather");
/** The calls of a rank that sorts. */
const once = ["allreduce", "dup", ...gathers.slice(1), "alltoall", ...gathers];

/** Keys with their first positions, and the positions in which they are; some are equal. */
const forms: Readonly<Record<string, (p: Primitives, keys: Vector<"f32">) => Promise<Vector>>> = {
  sort: (p, keys) => p.sort(keys, { descending: true }),
  sortByKey: async (p, keys) => (await p.sortByKey(keys, p.counting("u32", keys.length))).values,
  argsort: (p, keys) => p.argsort(keys),
  rank: (p, keys) => p.rank(keys),
  segmentedSort: (p, keys) =>
    p.segmentedSort(keys, {
      heads: p.fromHost(
        "u32",
        Uint32Array.from(values, (_, i) => (i % 10 === 0 ? 1 : 0)),
      ),
    }),
};

const programOf =
  (form: string): Program<readonly number[]> =>
  (all) =>
    computedByRanks(all, createCpuPrimitives(), async (p, { rank, size }) => {
      const keys = await p.fromParts("f32", await readShare(rank, size));
      return Array.from(await p.toHost(await forms[form](p, keys)));
    });

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

  it.each(Object.keys(forms))(
    "is one rank's in every form, whichever call a rank dies in: %s",
    async (form) => {
      const p = createCpuPrimitives();
      const alone = Array.from(await p.toHost(await forms[form](p, p.fromHost("f32", values))));
      const size = 3;
      const none = await computed(programOf(form), size, 1, new Map());
      expect(none.results).toEqual(Array(size).fill(alone));
      // The first that has left ends the others' last call.
      const ends = none.calls[1].lastIndexOf("allreduce");
      let deaths = 0;
      for (const [at, call] of none.calls[1].slice(0, ends).entries()) {
        const found = await computed(programOf(form), size, 1, new Map([[1, at]]), at % 2 === 0);
        expect(found.results, `node 1 at call ${at}, ${call}`).toEqual(Array(2).fill(alone));
        deaths += found.deaths;
      }
      expect(deaths).toBe(ends);
    },
  );

  it("is that of all values where one dies in the middle of a call, between any two messages", async () => {
    const size = 4;
    const { steps } = await sorted(size, new Map(), 3);
    const every = process.env.CRINKLE_SWEEP === "1" ? 1 : Math.ceil(steps / 60);
    const phases = new Set<number>();
    for (let at = 1; at < steps; at += every) {
      const node = at % size;
      const found = await computed(sorting, size, 3, new Map(), at % 3 === 0, { node, steps: at });
      const left = found.results.length;
      expect(found.results, `node ${node} after ${at} events`).toEqual(Array(left).fill(expected));
      phases.add(found.calls[node].length);
    }
    // Each call was the last that some rank had begun, but for one that sends nothing.
    for (const [k, call] of once.entries()) if (call !== "dup") expect(phases).toContain(k + 1);
  });
});
