import { expect, test } from "vitest";
import { runWorkingRanks } from "../../src/cluster/communicator/testing/run-ranks.ts";
import { CrinkleError } from "../../src/core/errors.ts";
import { runTogether } from "./measure.ts";

const timed = [["", { ms: 1, sentBytes: 0 }]] as const;

test("a limit that one rank passes is every rank's answer, and what comes next is measured", async () => {
  const outcomes = await runWorkingRanks(3, { seed: 1 }, async (communicator) => {
    const limited = await runTogether(communicator, async (own) => {
      if (own.rank === 1) throw new CrinkleError({ tag: "TooLarge", problem: "A vector is too long." });
      await own.barrier();
      return timed;
    });
    const next = await runTogether(communicator, async (own) => {
      await own.barrier();
      return timed;
    });
    return [limited.problem, next];
  });
  const next = { timed, problem: undefined };
  expect(outcomes).toEqual(Array(3).fill({ value: ["A vector is too long.", next] }));
});

test("whatever else fails ends the bench", async () => {
  const outcomes = await runWorkingRanks(2, { seed: 2 }, (communicator) =>
    runTogether(communicator, async (own) => {
      if (own.rank === 0) throw new TypeError("A fault.");
      await own.barrier();
      return timed;
    }),
  );
  expect(outcomes[0]).toMatchObject({ error: { message: "A fault." } });
  expect(outcomes[1]).toMatchObject({ error: { tag: "Revoked" } });
});
