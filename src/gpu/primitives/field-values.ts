import type { FieldValues } from "../../core/statistics.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import type { GpuEach } from "./gpu-primitives/each-primitives.ts";

/** The values of a field where they are, for as long as its owner holds its buffer. */
export const fieldValues = (
  primitives: GpuEach,
  { buffer, count, components, offsets }: Pick<GpuField, "buffer" | "count" | "components" | "offsets">,
): FieldValues => ({
  primitives,
  values: primitives.adopt("f32", buffer, count * components),
  count,
  components,
  elementStride: 1,
  componentStride: count,
  offsets,
});
