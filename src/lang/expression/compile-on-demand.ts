import { compileWith } from "./compile-with.ts";
import type { BuildOptions } from "./network/builder.ts";
import type { FieldSignature, Network } from "./network/network.ts";

class LoopsNeeded extends Error {}

const notLoaded = () => {
  throw new LoopsNeeded();
};

/**
 * The same as `compile` where the kernel layer is loaded for texts with constants to fold alone: the first picture's
 * have none. Rejects with what `compile` throws.
 */
export async function compileOnDemand(
  text: string,
  fields: readonly FieldSignature[],
  options?: BuildOptions,
): Promise<Network> {
  try {
    return compileWith(notLoaded, text, fields, options);
  } catch (error) {
    if (!(error instanceof LoopsNeeded)) throw error;
    const { elementLoop } = await import("./filters/element-loops.ts");
    return compileWith(elementLoop, text, fields, options);
  }
}
