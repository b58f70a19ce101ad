import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { makeRoom, nameOf } from "../membership/testing/room.ts";
import { randomOf } from "../transport/testing/random.ts";
import { anySource, type Communicator } from "./communicator.ts";
import { communicatorOf } from "./group-communicator.ts";
import { add, max } from "./operators/elements.ts";
import { defineReduction } from "./operators.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";
const seeds = isSweep ? 20_000 : 80;
const rounds = 6;

const concat = defineReduction<string>({ name: "concat", join: (a, b) => a + b });

/** What each rank knows about itself: its name in the room, which it keeps when ranks are renumbered. */
type Round = (world: Communicator, own: number, random: () => number) => Promise<unknown>;

const arrayOf = (own: number, length: number) => Int32Array.from({ length }, (_, i) => own * 1000 + i);

/** Collectives and messages whose results are equal on all ranks. */
const calls: readonly Round[] = [
  async (world) => world.barrier(),
  async (world, own, random) => {
    const root = Math.floor(random() * world.size);
    const length = Math.floor(random() * 40_000);
    const given = world.rank === root ? arrayOf(own, length) : undefined;
    return sumOf(await world.bcast(given, root));
  },
  async (world, own, random) =>
    sumOf(await world.allreduce<Int32Array>(arrayOf(own, 1 + Math.floor(random() * 9000)), add)),
  async (world, own) => world.allreduce(`${own},`, concat),
  async (world, own, random) => {
    const root = Math.floor(random() * world.size);
    const top = await world.reduce<Float64Array>(Float64Array.of(own), max, root);
    return (await world.bcast(top?.[0], root)) as number;
  },
  async (world, own) => (await world.allgather<number>(own)).join(),
  async (world, own, random) => {
    const length = Math.floor(random() * 3000);
    const parts = Array.from({ length: world.size }, (_, to) => arrayOf(own * 10 + to, length));
    const got = await world.alltoall<Int32Array>(parts);
    return (
      await world.allreduce<Float64Array>(
        Float64Array.of(got.reduce((sum, part) => sum + sumOf(part), 0)),
        add,
      )
    )[0];
  },
  async (world, own) => {
    const before = await world.exscan<Float64Array>(Float64Array.of(own), add);
    const through = await world.scan<Float64Array>(Float64Array.of(own), add);
    return (await world.allgather<number>(through[0] - (before?.[0] ?? 0))).join();
  },
  async (world, own) => {
    const half = (await world.split(world.rank % 2)) as Communicator;
    const sum = await half.allreduce<Float64Array>(Float64Array.of(own), add);
    return (await world.allgather<number>(sum[0])).join();
  },
  async (world, own) => {
    const [other, half] = await Promise.all([world.dup(), world.split(world.rank % 2)]);
    const results = Promise.all([
      other.allreduce<Float64Array>(Float64Array.of(own), add),
      half?.allgather<number>(own),
    ]);
    // Nobody receives this.
    const lost = half?.send(0, "lost");
    const [[sum, part]] = await Promise.all([results, lost, other.free(), half?.free()]);
    return (await world.allgather<string>(`${part}: ${sum}`)).join();
  },
  async (world, own, random) => {
    // If time passes quickly, only short messages are measured.
    const tick = random() < 0.2 ? 1 : 3;
    let ms = 0;
    const other = await world.tuned({
      now: () => {
        ms += tick;
        return ms;
      },
    });
    const sum = await other.allreduce<Float64Array>(new Float64Array(3000).fill(own), add);
    await other.free();
    return (await world.allgather<number>(sum[2999])).join();
  },
  async (world, own) => {
    const { rank, size } = world;
    const { data } = await world.sendrecv<Float32Array>(
      (rank + 1) % size,
      new Float32Array(30_000).fill(own),
      (rank + size - 1) % size,
    );
    return (await world.allgather<number>(data[29_999])).join();
  },
];

const sumOf = (array: Int32Array) => array.reduce((sum, x) => (sum + x) | 0, 0);

interface Results {
  readonly epoch: number;
  readonly results: ReadonlyMap<number, string>;
}

/**
 * Makes the same calls on every rank, and resumes from where the slowest was whenever some have failed. A
 * rank that is done stays, because others may have to call again; `tell` then gets undefined.
 */
async function program(
  first: Communicator,
  own: number,
  seed: number,
  tell: (end: Results | undefined) => void,
) {
  let world = first;
  const results = new Map<number, string>();
  for (let round = 0; ; ) {
    try {
      if (round === rounds) {
        tell({ epoch: world.epoch, results });
        await world.recv(anySource, 999);
      }
      const random = randomOf(seed * 100 + round);
      const call = calls[Math.floor(random() * calls.length)];
      results.set(round, `${world.epoch}/${world.size}: ${JSON.stringify(await call(world, own, random))}`);
      round++;
    } catch (error) {
      if (!(error instanceof CrinkleError) || (error.tag !== "RankFailed" && error.tag !== "Revoked"))
        throw error;
      tell(undefined);
      for (;;) {
        try {
          world = await world.shrink();
          round = -(await world.allreduce<Float64Array>(Float64Array.of(-round), max))[0];
          break;
        } catch (again) {
          if (!(again instanceof CrinkleError) || again.remedy.startsWith("Join")) {
            return tell({ epoch: -1, results });
          }
        }
      }
    }
  }
}

type End = Results | { readonly error: unknown };

async function torment(seed: number) {
  const random = randomOf(seed * 7919 + 5);
  const upTo = (n: number) => Math.floor(random() * n);
  const size = 2 + upTo(6);
  const room = makeRoom(size, { seed, delay: [0.1, random() < 0.2 ? 200 : 2] });
  const { network, seen } = room;
  const ends: (End | undefined)[] = seen.map(() => undefined);
  for (const [node, { member }] of seen.entries()) {
    const tell = (end: End | undefined) => {
      ends[node] = end;
    };
    program(communicatorOf(member.epoch.world), node, seed, tell).catch((error) => tell({ error }));
  }
  const dead = new Set<number>();
  const paused = new Set<number>();
  const log: string[] = [];
  let step = 0;
  for (let faults = upTo(4); faults > 0; faults--) {
    step += 1 + upTo(random() < 0.7 ? 60 : 600);
    await network.run(() => network.steps >= step, 60_000);
    const [node, other, isSilent, what] = [upTo(size), upTo(size), random() < 0.5, random()];
    log.push(`step ${network.steps}: ${what.toFixed(2)} ${node} ${other} ${isSilent}`);
    if (what < 0.45) {
      network.kill(node, isSilent);
      dead.add(node);
      if (random() < 0.5) {
        for (const [k, { member }] of seen.entries())
          if (!dead.has(k) && !paused.has(k)) member.declareDead(nameOf(node));
      }
    } else if (what < 0.6) {
      network.pause(node);
      paused.add(node);
    } else if (what < 0.7) {
      network.resume(node);
      paused.delete(node);
    } else if (what < 0.9) network.cut(node, other, isSilent);
    else if (!dead.has(node) && !paused.has(node)) {
      void seen[node].member.leave();
      dead.add(node);
    }
  }
  const frozen = [...paused];
  await network.run(() => false, frozen.length > 0 ? upTo(12_000) : 0);
  for (const node of frozen) network.resume(node);
  // A rank that was done and then left out learns of it.
  if (log.length > 0) await network.run(() => false, 15_000);
  await network.run(() => ends.every((end, node) => end || dead.has(node)), 300_000);
  return { ends, dead, seen, say: `seed ${seed}, ${size} ranks: ${log.join("; ")}` };
}

describe("collectives under a nemesis", () => {
  it(`end on every rank, and the remaining ranks agree on every result (${seeds} seeds)`, async () => {
    let shrunk = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const { ends, dead, seen, say } = await torment(seed);
      const results = new Map<number, string>();
      const alive = ends.flatMap((end, node) => (dead.has(node) ? [] : [{ end, node }]));
      for (const { end, node } of alive) {
        expect(end, `${say}: node ${node} waits forever`).toBeDefined();
        if (!end || "error" in end)
          throw new Error(`${say}: node ${node}: ${end?.error}`, { cause: end?.error });
        if (end.epoch < 0) {
          expect(seen[node].left, say).toBeDefined();
          continue;
        }
        if (end.epoch > 1) shrunk++;
        expect(end.results.size, say).toBe(rounds);
        for (const [round, result] of end.results) {
          if (!result.startsWith(`${end.epoch}/`)) continue;
          expect(`${node}, round ${round}: ${results.get(round) ?? result}`, say).toBe(
            `${node}, round ${round}: ${result}`,
          );
          results.set(round, result);
        }
      }
    }
    expect(shrunk).toBeGreaterThan(seeds / 10);
  }, 1_800_000);
});
