import type { GpuContext } from "../device/context.ts";
import type { GpuEach } from "./gpu-primitives/each-primitives.ts";

/**
 * Bytes that stay for the next call while nobody uses the primitives: many times what statistics work in. Where they hold
 * more, all goes back to the device.
 */
const maxIdle = 1 << 18;

interface Shared {
  readonly primitives: Promise<GpuEach>;
  users: number;
}

const shared = new WeakMap<GpuContext, Shared>();

/**
 * Runs what reduces and counts with a device's primitives, which all share, and which are loaded and made when first asked for.
 * They keep what they compiled and, until `trimPrimitives`, the little memory that repeated calls work in, which takes longer to
 * make than to use. Throws what `body` throws.
 */
export async function withPrimitives<R>(
  gpu: GpuContext,
  body: (primitives: GpuEach) => Promise<R>,
): Promise<R> {
  const own = shared.get(gpu) ?? { primitives: made(gpu), users: 0 };
  shared.set(gpu, own);
  own.primitives.catch(() => shared.delete(gpu));
  own.users++;
  try {
    return await body(await own.primitives);
  } finally {
    own.users--;
    await trimIdle(gpu, own, maxIdle);
  }
}

/** Gives back what the shared primitives of a device keep for the next call, unless somebody uses them. */
export async function trimPrimitives(gpu: GpuContext): Promise<void> {
  const own = shared.get(gpu);
  if (own) await trimIdle(gpu, own, 0);
}

async function trimIdle(gpu: GpuContext, own: Shared, kept: number): Promise<void> {
  const primitives = await own.primitives;
  if (own.users > 0 || gpu.isLost) return;
  // What stays does not depend on which calls happened to run side by side.
  primitives.trimReadBacks();
  if (primitives.idleSize() > kept) primitives.trim();
}

/** Only what reduces and counts: that depends on no strategy, and is a part of what all methods take. */
async function made(gpu: GpuContext): Promise<GpuEach> {
  const { createGpuEach } = await import("./gpu-primitives/each-primitives.ts");
  return createGpuEach(gpu);
}
