import type { IndexMap } from "../core/hypercube/index-map.ts";
import { submitPass } from "../gpu/compute/dispatch.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { createExchange, createRearrangement, wordCount } from "../gpu/hypercube/rearrange.ts";
import type { PreparedLayout } from "./hypercube-api.ts";
import { badArgument } from "./refusal.ts";

/** A map compiled for the buffers of a host program. */
export async function preparedLayout(
  gpu: GpuContext,
  map: IndexMap,
  bytes: 1 | 2 | 4 | 8 | 16,
): Promise<PreparedLayout> {
  const ready = await createRearrangement(gpu, map, bytes);
  const exchange = await createExchange(gpu, map, bytes);
  const [from, to] = [map.from, map.to].map((lengths) => 4 * wordCount(lengths, bytes));
  return {
    run(source, target = source) {
      checkBuffer("The source", source, from);
      if (target !== source) {
        checkBuffer("The target", target, to);
        submitPass(gpu, "rearrangement", ready.bound(source, target));
        return;
      }
      if (!exchange) {
        throw badArgument(
          "The map cannot be done in place on the GPU, since it does not exchange elements in pairs of whole words.",
          "Give a second buffer.",
        );
      }
      submitPass(gpu, "rearrangement in place", exchange.bound(source));
    },
  };
}

function checkBuffer(what: string, buffer: GPUBuffer, bytes: number): void {
  if (buffer.size < bytes) {
    throw badArgument(
      `${what} has ${buffer.size} bytes where the map takes ${bytes}.`,
      "Give a buffer of the map's shape.",
    );
  }
  if ((buffer.usage & GPUBufferUsage.STORAGE) !== 0) return;
  throw badArgument(`${what} lacks the usage STORAGE.`, "Create it with GPUBufferUsage.STORAGE.");
}
