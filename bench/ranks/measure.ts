import type { Communicator } from "../../src/cluster/communicator/communicator.ts";
import { GpuContext } from "../../src/gpu/device/context.ts";
import { openNodeGpu } from "../../src/node/gpu.ts";
import { type RankCase, rankCases } from "./cases.ts";
import type { Measured } from "./measured.ts";

export interface MeasuringOptions {
  /** A part of the names of the cases to run. */
  readonly filter: string;
  readonly isQuick: boolean;
}

/** Opens this rank's GPU. Throws an Error where there is none. */
export async function openRankGpu(): Promise<GpuContext> {
  const { gpu, reason } = await openNodeGpu([]);
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  return GpuContext.open(gpu);
}

/** Runs the cases on all ranks, each with its GPU; rank 0 hears of the rows. `sent`: bytes that this rank has sent so far. */
export async function measureCases(
  communicator: Communicator,
  gpu: GpuContext,
  { filter, isQuick }: MeasuringOptions,
  sent: () => number,
  onRow: (row: Measured) => void,
): Promise<void> {
  const ranks = communicator.size;
  for (const one of rankCases.filter(({ name }) => name.includes(filter))) {
    for (const n of sizesOf(one, isQuick)) {
      const before = sent();
      const own = await one.run({ communicator, gpu }, n);
      const all = await communicator.allgather(Float64Array.of(own, sent() - before));
      if (communicator.rank !== 0) continue;
      const ms = Math.max(...all.map(([ms]) => ms));
      const sentBytes = all.reduce((sum, [, bytes]) => sum + bytes, 0);
      onRow({ name: one.name, n, ranks, ms, sentBytes });
    }
  }
}

const sizesOf = ({ sizes }: RankCase, isQuick: boolean): readonly number[] =>
  isQuick ? [sizes[0] > 1024 ? 4096 : 24] : sizes;
