import type { Communicator } from "../../src/cluster/communicator/communicator.ts";
import { GpuContext } from "../../src/gpu/device/context.ts";
import { openNodeGpu } from "../../src/node/gpu.ts";
import type { RankCase } from "./cases/rank-case.ts";
import { casesOf } from "./cases.ts";
import type { Measured } from "./measured.ts";

export interface MeasuringOptions {
  /** A part of the names of the cases to run. */
  readonly filter: string;
  readonly isQuick: boolean;
  readonly device: "gpu" | "cpu";
  /** A size that would take longer, judged by the one before it, is left out. */
  readonly maxMs: number;
}

/** Opens this rank's GPU, unless it is to compute on its CPU. Throws an Error where there is none. */
export async function openRankGpu({ device }: MeasuringOptions): Promise<GpuContext | undefined> {
  if (device === "cpu") return undefined;
  const { gpu, reason } = await openNodeGpu([]);
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  return GpuContext.open(gpu);
}

/**
 * Runs the cases on all ranks, each with its GPU or on its CPU; rank 0 hears of the rows. `sent`: bytes that this rank has sent so far, where
 * that is known.
 */
export async function measureCases(
  communicator: Communicator,
  gpu: GpuContext | undefined,
  { filter, isQuick, maxMs }: MeasuringOptions,
  sent: (() => number) | undefined,
  onRow: (row: Measured) => void,
): Promise<void> {
  const { rank, size: ranks } = communicator;
  for (const one of casesOf({ communicator, gpu, sent }).filter(({ name }) => name.includes(filter))) {
    let expectedMs = 0;
    const sizes = isQuick ? [quickSize[one.dimensions]] : one.sizes;
    for (const [k, n] of sizes.entries()) {
      // All ranks have to go on alike: the first decides.
      if (await communicator.bcast<boolean>(expectedMs > maxMs, 0)) {
        if (rank === 0) console.log(leftOut(one.name, n, ranks, expectedMs));
        break;
      }
      const start = performance.now();
      const timed = Object.entries(await one.run(n));
      const all = await communicator.allgather(
        Float64Array.from(timed.flatMap(([, { ms, sentBytes }]) => [ms, sentBytes])),
      );
      expectedMs = (performance.now() - start) * (sizes[k + 1] / n) ** one.dimensions;
      if (rank !== 0) continue;
      for (const [j, [added, { updates }]] of timed.entries()) {
        const ms = Math.max(...all.map((own) => own[2 * j]));
        const sentBytes = all.reduce((sum, own) => sum + own[2 * j + 1], 0);
        onRow({ name: one.name + added, n, ranks, ms, sentBytes, ...(updates && { updates }) });
      }
    }
  }
}

/** For software adapters. */
const quickSize: Readonly<Record<RankCase["dimensions"], number>> = { 1: 4096, 2: 128, 3: 24 };

const leftOut = (name: string, n: number, ranks: number, ms: number) =>
  `${name}, ${n}, ${ranks} ranks: left out, for it would take about ${Math.round(ms / 1000)} s`;
