import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import type { Clock } from "../clock.ts";
import type { Value } from "../communicator/communicator.ts";
import { add } from "../communicator/operators/elements.ts";
import { type Outcome, runRanks, valuesOf } from "../communicator/testing/run-ranks.ts";
import { type Measurement, measure } from "./measure.ts";
import { type Job, JobService } from "./service.ts";

const network = { seed: 3, delay: [1, 1.001] } as const;

/** The sum of the ranks' numbers, and what it takes to have some of them fail or wait. */
const sum: Job<Value, number | undefined, number> = {
  name: "sum",
  parse: (parameters) => parameters,
  async run({ communicator, engine, context }, fault) {
    const { rank } = communicator;
    if (rank === 2 && fault === "throws") {
      throw new CrinkleError({ tag: "OutOfMemory", problem: "It does not fit.", remedy: "Use less." });
    }
    if (rank === 1 && fault === "computes") {
      await new Promise((_, reject) =>
        context.signal.addEventListener("abort", () => reject(new Error("stopped"))),
      );
    }
    const [total] = await communicator.allreduce(Float64Array.of(engine), add);
    return rank === 0 ? Number(total) : undefined;
  },
};

/** Runs `host` on rank 0 while the other ranks serve; ends the epoch afterwards. */
async function hosted<R>(
  size: number,
  jobs: readonly Job<Value, unknown, number>[],
  host: (service: JobService<number>, clock: Clock) => Promise<R>,
): Promise<R> {
  const [result] = await valuesOf<R | undefined>(size, network, async (world, room) => {
    const service = new JobService(world, jobs, 10 ** world.rank, room.network.clock(world.rank));
    if (world.rank > 0) {
      await service.serve();
      return undefined;
    }
    try {
      return await host(service, room.network.clock(0));
    } finally {
      world.revoke();
    }
  });
  return result as R;
}

describe("jobs", () => {
  it("are run by all ranks in the order of their requests, until the epoch ends", async () => {
    const fractions: number[] = [];
    const progress = (fraction: number) => fractions.push(fraction);
    const first = await hosted(4, [measure], async (service): Promise<Measurement | undefined> => {
      const [longer] = await Promise.all([
        service.run(measure, { bytes: 300_000, rounds: 3 }, { ...noJob, progress }),
        service.run(measure, { bytes: 1000, rounds: 1 }),
      ]);
      return longer;
    });
    expect(first?.links.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(first?.contention?.togetherMs).toBeGreaterThan(0.5);
    expect(fractions.map((fraction) => Math.round(7 * fraction))).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { roundTripUs, megabytesPerSecond } of first?.links ?? []) {
      expect(roundTripUs).toBeGreaterThan(0);
      expect(megabytesPerSecond).toBeGreaterThan(0);
    }
  });

  it("compute with what each rank has", async () => {
    expect(await hosted(4, [sum], (service) => service.run(sum, null))).toBe(1111);
  });

  it("say on rank 0 how far each rank is, where somebody watches", async () => {
    const said: boolean[] = [];
    const parts: Job<Value, undefined, number> = {
      name: "parts",
      parse: (parameters) => parameters,
      async run({ communicator, context }) {
        const before = communicator.iprobe();
        context.progress(0.5, `half of ${communicator.rank}`);
        await communicator.barrier();
        context.progress(1, `all of ${communicator.rank}`);
        await communicator.barrier();
        // What was not watched is no message that waits to be received.
        if (communicator.rank === 0) said.push(before === undefined && communicator.iprobe() === undefined);
        return undefined;
      },
    };
    const heard: (readonly [rank: number, fraction: number, step: string])[] = [];
    const progressOf = (...progress: [rank: number, fraction: number, step: string]) => heard.push(progress);
    await hosted(3, [parts, sum], async (service) => {
      await service.run(parts, null, { ...noJob, progressOf });
      await service.run(parts, null);
      await expect(service.run(sum, "throws", { ...noJob, progressOf })).rejects.toThrow("It does not fit");
      expect(await service.run(sum, null)).toBe(111);
    });
    const of = (wanted: number) => heard.filter(([rank]) => rank === wanted);
    for (const rank of [0, 1, 2]) {
      expect(of(rank)).toEqual([
        [rank, 0.5, `half of ${rank}`],
        [rank, 1, `all of ${rank}`],
      ]);
    }
    expect(said).toEqual([true, true]);
  });

  it("say how far ranks are that are not their own", async () => {
    const stands: Job<Value, undefined, number> = {
      name: "stands",
      parse: (parameters) => parameters,
      async run({ communicator, context }) {
        if (communicator.rank === 1) for (const rank of [0, 7]) context.progressOf?.(rank, 0.25, "elsewhere");
        await communicator.barrier();
        return undefined;
      },
    };
    const heard: (readonly [rank: number, fraction: number, step: string])[] = [];
    const progressOf = (...progress: [rank: number, fraction: number, step: string]) => heard.push(progress);
    await hosted(2, [stands], async (service) => {
      await service.run(stands, null, { ...noJob, progressOf });
      await service.run(stands, null);
    });
    expect(heard).toEqual([
      [0, 0.25, "elsewhere"],
      [7, 0.25, "elsewhere"],
    ]);
  });

  it("fail on all ranks where they fail on one, with that rank's error, and the next job runs", async () => {
    await hosted(4, [sum], async (service) => {
      await expect(service.run(sum, "throws")).rejects.toMatchObject({
        tag: "OutOfMemory",
        problem: "Rank 2: It does not fit.",
        remedy: "Use less.",
      });
      expect(await service.run(sum, null)).toBe(1111);
    });
  });

  it("are cancelled on all ranks, in the middle and before they begin", async () => {
    await hosted(4, [sum], async (service, clock) => {
      const controller = new AbortController();
      const running = service.run(sum, "computes", { ...noJob, signal: controller.signal });
      const waiting = service.run(sum, null, { ...noJob, signal: controller.signal });
      waiting.catch(() => {});
      clock.after(50, () => controller.abort());
      await expect(running).rejects.toMatchObject({ tag: "Cancelled" });
      await expect(waiting).rejects.toMatchObject({ tag: "Cancelled" });
      expect(await service.run(sum, null)).toBe(1111);
    });
  });

  it("are refused where a rank does not know them, or their parameters are invalid", async () => {
    expect(() => measure.parse({ bytes: -1, rounds: 1 })).toThrow("out of range");
    expect(() => measure.parse("all")).toThrow("out of range");
    await hosted(2, [sum], async (service) => {
      await expect(service.run(measure, { bytes: 1, rounds: 1 })).rejects.toMatchObject({
        tag: "BadMessage",
      });
      expect(await service.run(sum, null)).toBe(11);
    });
  });

  it("end with the epoch", async () => {
    const outcomes: Outcome<unknown>[] = await runRanks(3, network, async (world, room) => {
      const service = new JobService(world, [sum], 1, room.network.clock(world.rank));
      if (world.rank > 0) return service.serve();
      const running = service.run(sum, "computes");
      room.network.clock(0).after(50, () => world.revoke());
      return running;
    });
    expect(outcomes[0]).toMatchObject({ error: { tag: "Revoked" } });
    expect(outcomes.slice(1)).toEqual([{ value: undefined }, { value: undefined }]);
  });
});
