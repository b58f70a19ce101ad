import { expect, test } from "vitest";
import type { ViewReports } from "../../engine/saved-view/view-ranks.ts";
import { sumOfReports } from "./sum-of-reports.ts";

const report = (rank: number, unit: number, triangles?: number): ViewReports[number] => ({
  rank,
  device: "CPU",
  block: [[0, unit]],
  share: 0.5,
  uploads: unit,
  downloads: 2 * unit,
  kernels: 3 * unit,
  uploadedBytes: 4 * unit,
  downloadedBytes: 5 * unit,
  peakBytes: 64,
  bytesRead: unit,
  sent: 2 * unit,
  received: 3 * unit,
  messages: 4 * unit,
  ms: { read: 5 * unit, compute: 6 * unit, pack: 7 * unit, send: 8 * unit, wait: 9 * unit },
  ...(triangles === undefined ? {} : { triangles }),
});

test("what ranks did in several jobs is summed, with the blocks of the last one", () => {
  const jobs = [
    [report(0, 1), report(1, 10)],
    [report(0, 2, 50), report(1, 20, 60)],
  ];
  const [first, second] = sumOfReports(jobs);
  expect(first).toEqual({ ...report(0, 3, 50), block: [[0, 2]] });
  expect(second).toEqual({ ...report(1, 30, 60), block: [[0, 20]] });
  expect(sumOfReports([])).toEqual([]);
});

test("jobs from before a rank was lost do not count for others' numbers", () => {
  const jobs = [
    [report(0, 1), report(1, 1), report(2, 1)],
    [report(0, 2, 7), report(1, 3, 8)],
  ];
  expect(sumOfReports(jobs)).toEqual([report(0, 2, 7), report(1, 3, 8)]);
});
