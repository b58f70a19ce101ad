import { compileWith } from "./compile-with.ts";
import type { BuildOptions } from "./network/builder.ts";
import type { LoopOf } from "./network/folding.ts";
import type { FieldSignature, Network } from "./network/network.ts";

class LoopsNeeded extends Error {}

let loopOf: LoopOf = () => {
  throw new LoopsNeeded();
};

/**
 * What `compile` returns, with the kernel layer loaded when a text first has constants to fold: those of the first
 * picture have none. Rejects with what `compile` throws.
 */
export async function compileOnDemand(
  text: string,
  fields: readonly FieldSignature[],
  options?: BuildOptions,
): Promise<Network> {
  try {
    return compileWith(loopOf, text, fields, options);
  } catch (error) {
    if (!(error instanceof LoopsNeeded)) throw error;
    loopOf = (await import("./filters/element-loops.ts")).elementLoop;
    return compileWith(loopOf, text, fields, options);
  }
}
