import { expect, it } from "vitest";
import { Recorder } from "../compute/recorder.ts";
import type { PrimitiveStrategy } from "../primitives/base/strategy.ts";
import { sortPipelines } from "../primitives/sort/pipelines.ts";
import { RadixSort } from "../primitives/sort/radix-sort.ts";
import { tileShape } from "../primitives/sort/shape.ts";
import { paperGpu } from "../testing/paper-gpu.ts";
import { KdTreeBuild } from "./build.ts";
import { buildPipelines } from "./pipelines.ts";
import { lonePoints } from "./shape.ts";

const chained: PrimitiveStrategy = { subgroups: true, scan: "chained" };
const inOrder: PrimitiveStrategy = { subgroups: true, scan: "reduce-then-scan" };

interface Device {
  readonly dimensions: 2 | 3;
  readonly isWidest?: boolean;
  readonly workgroupBytes?: number;
  readonly strategy?: PrimitiveStrategy;
}

/** Tells the most bytes a point that the device holds at a time, points and results included. */
async function peaksOf({ dimensions, isWidest = false, workgroupBytes, strategy = chained }: Device) {
  const gpu = paperGpu(workgroupBytes ? { maxComputeWorkgroupStorageSize: workgroupBytes } : {});
  const tiles = tileShape(gpu, true);
  const sort = new RadixSort(gpu, tiles, await sortPipelines(gpu, tiles, strategy));
  const lone = lonePoints(gpu.device.limits, dimensions, isWidest);
  const shape = { dimensions, isWidest, subgroups: true, lone };
  const kernel = new KdTreeBuild(gpu, shape, sort, await buildPipelines(gpu, shape));
  return (n: number) => {
    const scope = gpu.scope();
    const recorder = new Recorder(gpu);
    gpu.pool.resetPeak();
    const make = (length: number, words: number) => {
      const { buffer } = scope.allocate("points", 4 * length * words, GPUBufferUsage.STORAGE);
      return { buffer, offset: 0, length };
    };
    const [points, nodes, ids] = [make(n, dimensions), make(n, dimensions), make(n, 1)];
    const axes = isWidest ? make(Math.ceil(n / 16), 1) : undefined;
    kernel.record(recorder, { points, nodes, ids, axes });
    const { peak } = gpu.pool.use;
    recorder.dispose();
    scope.release();
    return peak / n;
  };
}

/** Powers of two, their neighbours, and numbers between; the same beyond what a test could build. */
const counts = [
  65_536,
  ...[17, 20, 24, 28].flatMap((power) => [-64, -1, 0, 1, 64].map((d) => 2 ** power + d)),
  ...[15, 22].flatMap((power) => [-65, -1, 0, 1].map((d) => 3 * 2 ** power + d)),
  ...Array.from({ length: 25 }, (_, i) => Math.floor(65_537 * 1.0457 ** i)),
  ...Array.from({ length: 12 }, (_, i) => Math.floor(300_001 * 1.7 ** i)),
];

it.each([
  { device: { dimensions: 3 }, most: 36.2, later: { least: 100_000, most: 36 } },
  { device: { dimensions: 3, workgroupBytes: 32_768 }, most: 36.7, later: { least: 400_000, most: 36 } },
  { device: { dimensions: 3, strategy: inOrder }, most: 36 },
  { device: { dimensions: 3, isWidest: true }, most: 38.5 },
  { device: { dimensions: 2 }, most: 30 },
  { device: { dimensions: 2, isWidest: true }, most: 30 },
] as const)("holds at most $most bytes a point: $device", async ({ device, most, ...rest }) => {
  const peakOf = await peaksOf(device);
  const later = ("later" in rest && rest.later) || { least: 0, most };
  for (const n of counts) {
    expect(peakOf(n), `${n} points`).toBeLessThanOrEqual(n < later.least ? most : later.most);
  }
});

it("holds 33.4 bytes for each of 2ᵏ points in three dimensions, 24.9 in two", async () => {
  const [three, two] = [await peaksOf({ dimensions: 3 }), await peaksOf({ dimensions: 2 })];
  for (let power = 16; power <= 28; power += 2) {
    expect(three(2 ** power)).toBeLessThan(33.4);
    expect(two(2 ** power)).toBeLessThan(24.9);
  }
});
