import { expect, it } from "vitest";
import { zeroCost } from "../../core/run-cost.ts";
import { costWords, totalSentence } from "./cost-words.ts";

const onGpu = { ...zeroCost, kernels: 2, uploadedBytes: 3072, downloadedBytes: 1024, peakBytes: 5120 };

it("says what a rank's GPU ran and held, and what those of all ranks did together", () => {
  const traffic = { sent: 8, received: 16 };
  expect(costWords({ ...zeroCost, ...traffic })).toBe("8 B sent, 16 B received");
  expect(costWords({ ...onGpu, ...traffic })).toBe(
    "8 B sent, 16 B received; 2 kernels, 3.0 KiB to GPUs, 1.0 KiB back, 5.0 KiB at peak",
  );
  expect(totalSentence([onGpu, { ...onGpu, kernels: 3 }, zeroCost])).toEqual([
    "All ranks together: 5 kernels, 6.0 KiB to GPUs, 2.0 KiB back, 10 KiB at peak.",
  ]);
  expect([totalSentence([zeroCost, zeroCost]), totalSentence([onGpu])]).toEqual([[], []]);
});
