import { expect, test } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { zeroCost } from "../../../core/run-cost.ts";
import { nothingFits, tooLongArray, tooMuchMemory } from "../plan/refusals.ts";
import { onlyOneWay, reasonFor } from "./reason.ts";

const mib = 2 ** 20;
const cost = { ...zeroCost, uploadedBytes: 3 * mib, downloadedBytes: mib, peakBytes: 4 * mib };
const fusion = tooMuchMemory("fusion", 5 * mib, 2 * mib, true);
const streamed = tooMuchMemory("streamed", 3 * mib, 2 * mib, true);
const buffers = new CrinkleError({ tag: "TooLarge", problem: "“sum” reads and writes 12 arrays." });

test("a reason says what is moved and held, and what the others would hold", () => {
  expect(reasonFor("fusion", cost, [], false)).toBe(
    "fusion moves 4.0\u00a0MiB and holds 4.0\u00a0MiB, the fastest by prediction",
  );
  expect(reasonFor("fusion", cost, [], true)).toBe(
    "fusion moves 4.0\u00a0MiB and holds 4.0\u00a0MiB: fields and results stay on the GPU",
  );
  const refusals = [
    { strategy: "fusion", error: fusion },
    { strategy: "staged", error: buffers },
  ] as const;
  expect(reasonFor("streamed", cost, refusals, false)).toBe(
    "streamed moves 4.0\u00a0MiB and holds 4.0\u00a0MiB, the fastest of those that fit; fusion would hold 5.0\u00a0MiB; staged does not fit",
  );
});

test("a refusal gives the bytes that are needed, and a way out that there is", () => {
  expect(fusion.message).toBe(
    "The fusion strategy would hold 5.0\u00a0MiB on the GPU; 2.0\u00a0MiB are allowed. Use the streamed strategy, or allow it more memory.",
  );
  expect(streamed.remedy).toBe("Allow it more memory.");
  expect(tooMuchMemory("fusion", 5 * mib, mib, false).remedy).toBe("Allow it more memory.");
  expect(tooLongArray("staged", 9 * mib, 4 * mib, 2 * mib, true).message).toBe(
    "The staged strategy needs an array of 4.0\u00a0MiB; this device allows 2.0\u00a0MiB. Use the streamed strategy, which sends blocks.",
  );
});

test("where nothing fits, the strategy that needs least is named", () => {
  expect(nothingFits([fusion, buffers, streamed], 2 * mib).message).toBe(
    "No strategy computes this within 2.0\u00a0MiB of GPU memory; streamed needs the least, 3.0\u00a0MiB. Allow it more memory.",
  );
  expect(nothingFits([buffers], 2 * mib)).toBe(buffers);
});

test("a CPU says that strategies are the GPU's", () => {
  expect(onlyOneWay("staged")).toBe("The CPU has one way to compute; the strategy staged is the GPU's.");
});
