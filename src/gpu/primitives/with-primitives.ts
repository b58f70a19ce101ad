import type { GpuContext } from "../device/context.ts";
import type { GpuEach } from "./gpu-primitives/each-primitives.ts";

interface Shared {
  readonly primitives: Promise<GpuEach>;
  users: number;
}

const shared = new WeakMap<GpuContext, Shared>();

/**
 * Runs what reduces and counts with a device's primitives, which all share, and which are loaded and made when first asked for.
 * They keep what they compiled, and no memory: what they took is given back when nobody uses them. Throws what `body` throws.
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
    if (own.users === 0 && !gpu.isLost) await own.primitives.then((primitives) => primitives.trim());
  }
}

async function made(gpu: GpuContext): Promise<GpuEach> {
  const { createGpuEach } = await import("./gpu-primitives/each-primitives.ts");
  return createGpuEach(gpu);
}
