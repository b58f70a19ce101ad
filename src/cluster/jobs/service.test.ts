import { describe, expect, it } from "vitest";
import { valuesOf } from "../communicator/testing/run-ranks.ts";
import { type Measurement, measure } from "./measure.ts";
import { JobService } from "./service.ts";

describe("jobs", () => {
  it("are run by all ranks in the order of their requests, until the epoch ends", async () => {
    const fractions: number[] = [];
    const values = await valuesOf<Measurement | undefined>(
      4,
      { seed: 3, delay: [1, 1.001] },
      async (world, { network }) => {
        const service = new JobService(world, [measure], network.clock(world.rank));
        if (world.rank > 0) {
          await service.serve();
          return undefined;
        }
        const [first] = await Promise.all([
          service.run(measure, { bytes: 300_000, rounds: 3 }, (fraction) => fractions.push(fraction)),
          service.run(measure, { bytes: 1000, rounds: 1 }),
        ]);
        world.revoke();
        return first;
      },
    );
    expect(values[0]?.links.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(values[0]?.contention?.togetherMs).toBeGreaterThan(0.5);
    expect(fractions.map((fraction) => Math.round(7 * fraction))).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { roundTripUs, megabytesPerSecond } of values[0]?.links ?? []) {
      expect(roundTripUs).toBeGreaterThan(0);
      expect(megabytesPerSecond).toBeGreaterThan(0);
    }
  });

  it("are refused if the job is unknown or its parameters are invalid", async () => {
    expect(() => measure.parse({ bytes: -1, rounds: 1 })).toThrow("out of range");
    expect(() => measure.parse("all")).toThrow("out of range");
    const values = await valuesOf(2, { seed: 3 }, async (world, { network }) => {
      const service = new JobService(world, [], network.clock(world.rank));
      if (world.rank === 0) {
        await expect(service.run(measure, { bytes: 1, rounds: 1 })).rejects.toMatchObject({
          tag: "BadMessage",
        });
        return "said";
      }
      return service.serve().catch((error) => error.tag);
    });
    expect(values).toEqual(["said", "BadMessage"]);
  });
});
