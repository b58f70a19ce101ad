import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWithLosses } from "./testing/random-losses.ts";
import { simulateTime } from "./testing/simulated-time.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";
/** `CRINKLE_SEED=7` runs that seed alone. */
const one = process.env.CRINKLE_SEED;
const [first, seeds] = one ? [Number(one), 1] : [0, isSweep ? 3000 : 80];

let end = () => {};

beforeAll(() => {
  end = simulateTime();
});

afterAll(() => end());

describe("random jobs under a nemesis", () => {
  it(`give what one rank gives, and leave the room ready for the next (${seeds} seeds)`, async () => {
    let [lost, joined] = [0, 0];
    for (let seed = first; seed < first + seeds; seed++) {
      const run = await runWithLosses(seed);
      const { expected } = run;
      for (const { exact, means } of run.answers) {
        expect(exact, run.say).toEqual(expected.exact);
        for (const [k, mean] of means.entries()) expect(mean, run.say).toBeCloseTo(expected.means[k], 9);
      }
      expect(run.answers[1].ranks, run.say).toBe(run.members);
      lost += run.lost;
      joined += run.joined;
    }
    if (!one)
      expect(
        [lost, joined].every((count) => count > seeds / 8),
        `${lost}, ${joined}`,
      ).toBe(true);
  }, 3_600_000);

  it("happen again in the same way with the same seed", async () => {
    for (const seed of [first + 1, first + 2]) {
      const { steps, say } = await runWithLosses(seed);
      expect(await runWithLosses(seed)).toMatchObject({ steps, say });
    }
  });
});
