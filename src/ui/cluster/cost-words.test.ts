import { expect, it } from "vitest";
import { zeroCost } from "../../core/run-cost.ts";
import { costWords, totalSentence } from "./cost-words.ts";

const onGpu = { ...zeroCost, kernels: 2, uploadedBytes: 3072, downloadedBytes: 1024, peakBytes: 5120 };

it("says what a rank's GPU ran and held, and what those of all ranks did together", () => {
  const traffic = { sent: 8, received: 16 };
  expect(costWords({ ...zeroCost, ...traffic })).toBe("8\u00a0B sent, 16\u00a0B received");
  expect(costWords({ ...onGpu, ...traffic })).toBe(
    "8\u00a0B sent, 16\u00a0B received; 2 kernels, 3.0\u00a0KiB to GPUs, 1.0\u00a0KiB back, 5.0\u00a0KiB at peak",
  );
  expect(totalSentence([onGpu, { ...onGpu, kernels: 3 }, zeroCost])).toEqual([
    "All ranks together: 5 kernels, 6.0\u00a0KiB to GPUs, 2.0\u00a0KiB back, 10\u00a0KiB at peak.",
  ]);
  expect([totalSentence([zeroCost, zeroCost]), totalSentence([onGpu])]).toEqual([[], []]);
});
