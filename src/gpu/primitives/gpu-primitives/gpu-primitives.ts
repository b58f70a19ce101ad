import { checked } from "../../../core/primitives/checked/checked.ts";
import { badArgument } from "../../../core/primitives/checks.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { minBindingBytes } from "./chunks.ts";
import { gpuCompaction } from "./compaction.ts";
import { gpuDataMovement } from "./data-movement.ts";
import { gpuEach } from "./each.ts";
import { gpuElementwise } from "./elementwise.ts";
import { gpuForEach } from "./for-each.ts";
import { gpuHistograms } from "./histograms.ts";
import { gpuReductions } from "./reductions.ts";
import { gpuRuns } from "./runs.ts";
import { gpuScans } from "./scans.ts";
import { gpuSearch } from "./search.ts";
import { Session } from "./session.ts";
import { gpuSort } from "./sort.ts";
import { VectorIo } from "./vector-io.ts";
import { type GpuMemory, gpuMemory, gpuVectors } from "./vectors.ts";

export interface GpuPrimitivesOptions {
  /** What the device does right and fast, tried where it is left out. */
  readonly strategy?: PrimitiveStrategy;
  /**
   * Bytes that are bound as one at most, 2048 or more: longer vectors are worked on in chunks. What the device binds
   * where it is left out.
   */
  readonly maxBindingBytes?: number;
}

/**
 * The primitives on a GPU. Methods record, in the order of the calls, and return: a chain of them is one submission,
 * made when a number or the host's data is read, when 64 methods have been recorded, or by `flush`. Results of unknown
 * length (copyIf, unique, sets, runs) read that length. Vectors take the memory that released ones left. Views are read
 * in place where a kernel of elements reads them, and made up in workspace elsewhere. Vectors longer than a binding are
 * worked on in chunks; TooLarge where a method needs them whole. Methods throw DeviceLost once the device is gone.
 */
export type GpuPrimitives = Primitives & GpuMemory;

const fastest = async (gpu: GpuContext): Promise<PrimitiveStrategy> => {
  const { chooseStrategy } = await import("../choose-strategy.ts");
  return chooseStrategy(gpu);
};

/** Primitives on a device, with the fastest strategy that it does right. */
export async function createGpuPrimitives(
  gpu: GpuContext,
  { strategy, maxBindingBytes }: GpuPrimitivesOptions = {},
): Promise<GpuPrimitives> {
  if (maxBindingBytes !== undefined && !(maxBindingBytes >= minBindingBytes)) {
    throw badArgument(
      `Primitives were to bind ${maxBindingBytes} bytes at most.`,
      `Let them bind ${minBindingBytes} bytes or more.`,
    );
  }
  const chosen = strategy ?? (await fastest(gpu));
  const io = new VectorIo(new Session(gpu, async () => chosen, maxBindingBytes));
  const name = `gpu, ${chosen.scan}, ${chosen.subgroups ? "with" : "without"} subgroups`;
  const backend = {
    ...gpuVectors(io),
    ...gpuEach(io),
    ...gpuForEach(io),
    ...gpuElementwise(io),
    ...gpuReductions(io),
    ...gpuHistograms(io),
    ...gpuScans(io),
    ...gpuRuns(io),
    ...gpuCompaction(io),
    ...gpuDataMovement(io),
    ...gpuSearch(io),
    ...gpuSort(io),
  };
  return { ...checked(name, backend), ...gpuMemory(io) };
}
