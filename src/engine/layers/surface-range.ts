import { trimmedRange } from "../../algorithms/statistics/trimmed-range.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { fieldValues } from "../../gpu/primitives/field-values.ts";
import { withPrimitives } from "../../gpu/primitives/with-primitives.ts";
import type { SurfaceExtractor } from "../../gpu/surfaces/extractor.ts";
import type { SurfaceBase } from "../../gpu/surfaces/surface-source.ts";

/** Fraction of the vertices at each end that a colour range on the surface ignores. */
export const rangeTail = 0.01;

/**
 * The range of the colour field over the surface of the latest extraction, without the share `tail` of its vertices at
 * either end; undefined where none has a finite colour. Throws as the extractor's `counts`.
 */
export async function surfaceRange(
  gpu: GpuContext,
  extractor: Pick<SurfaceExtractor<SurfaceBase, unknown>, "copyScalars">,
  tail: number,
): Promise<readonly [number, number] | undefined> {
  const scalars = await extractor.copyScalars();
  if (!scalars) return undefined;
  try {
    return await withPrimitives(gpu, (primitives) => trimmedRange(fieldValues(primitives, scalars), tail));
  } finally {
    scalars.buffer.release();
  }
}
