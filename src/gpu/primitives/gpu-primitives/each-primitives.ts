import { checkedEach } from "../../../core/primitives/checked/each.ts";
import { checkedVectors } from "../../../core/primitives/checked/vectors.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { GpuContext } from "../../device/context.ts";
import { portableStrategy } from "../base/strategy.ts";
import { gpuEach } from "./each.ts";
import { Session } from "./session.ts";
import { VectorIo } from "./vector-io.ts";
import { type GpuMemory, gpuMemory, gpuVectors } from "./vectors.ts";

export type GpuEach = Pick<Primitives, "fromHost" | "toHost" | "reduceEach" | "countEach"> & GpuMemory;

/** The part of the primitives that reduces and counts, which depends on no strategy: for programs that load no more. */
export function createGpuEach(gpu: GpuContext): GpuEach {
  const io = new VectorIo(new Session(gpu, async () => portableStrategy));
  const backend = { ...gpuVectors(io), ...gpuEach(io) };
  return { ...checkedVectors(backend), ...checkedEach(backend), ...gpuMemory(io) };
}
