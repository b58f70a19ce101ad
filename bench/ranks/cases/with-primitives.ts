import type { Primitives } from "../../../src/core/primitives/primitives.ts";
import type { Vector } from "../../../src/core/primitives/vector.ts";
import { createCpuPrimitives } from "../../../src/cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "../../../src/distributed/api.ts";
import { createDistributedPrimitives } from "../../../src/distributed/distributed-primitives.ts";
import { createGpuPrimitives } from "../../../src/gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchRank } from "./rank-case.ts";

/** Runs with the rank's own primitives, on its GPU where it has one. */
export async function withPrimitives<R>(
  rank: BenchRank,
  work: (p: Primitives, rank: BenchRank) => Promise<R>,
): Promise<R> {
  if (!rank.gpu) return work(createCpuPrimitives(), rank);
  const p = await createGpuPrimitives(rank.gpu);
  try {
    return await work(p, { ...rank, flush: () => p.flush() });
  } finally {
    p.dispose();
  }
}

/** Runs with primitives over one long vector, of which each rank has a part. */
export const withAllRanks = <R>(
  given: BenchRank,
  work: (p: DistributedPrimitives, rank: BenchRank) => Promise<R>,
): Promise<R> =>
  withPrimitives(given, async (local, rank) => {
    const own = await rank.communicator.dup();
    return work(createDistributedPrimitives(own, local), rank);
  });

/** Elements that the host sends at a time. */
const maxSent = 2 ** 24;

/** Values on the rank's device, also where they are too many for one binding. */
export async function sendInParts(p: Primitives, data: Float32Array): Promise<Vector<"f32">> {
  const whole = await p.fill("f32", data.length, 0);
  for (let from = 0; from < data.length; from += maxSent) {
    const part = p.fromHost("f32", data.subarray(from, from + maxSent));
    await p.scatter(part, p.counting("u32", part.length), p.view(whole, from, from + part.length));
    part.release();
  }
  return whole;
}
