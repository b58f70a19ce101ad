import { PerformanceObserver } from "node:perf_hooks";
import { expect, test } from "vitest";
import type { Layer } from "../../core/layers.ts";
import { timePicture } from "./picture-timing.ts";

test("an observer learns what a picture was of, and the timeline keeps nothing", async () => {
  const layer = { shape: { kind: "isosurface", field: "f", isovalues: [0.25] } } as unknown as Layer;
  const seen = new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      resolve(list.getEntries()[0]);
      observer.disconnect();
    });
    observer.observe({ entryTypes: ["measure"] });
  });
  const start = performance.now() - 20;
  timePicture(layer, start, { picture: { bytes: 1000 } });
  expect(await seen).toMatchObject({
    startTime: start,
    detail: { isovalue: 0.25, bytes: 1000, isByRanks: true },
  });
  expect(performance.getEntriesByType("measure")).toEqual([]);
});
