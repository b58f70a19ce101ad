import { arrayOf, type TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { bytesOf } from "../../data/bytes/allocate.ts";
import { type RankedRun, withoutMargin } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

/** The whole of a field on rank 0; undefined on the others. */
export async function gatherField(
  { communicator, data, job, watch }: RankedRun,
  name: string,
  part: OwnPart,
): Promise<Field | undefined> {
  const { field } = withoutMargin(data, part);
  job.progress(0, `Gathering ${name}`);
  const parts = await communicator.gather<TypedArray>(field.data, 0);
  if (!parts) return undefined;
  const { components, centering, dtype } = field;
  return { name, components, centering, dtype, data: watch.pack(() => joined(field, parts)) };
}

function joined({ dtype }: Field, parts: readonly TypedArray[]): Field["data"] {
  const whole = new (arrayOf(dtype))(parts.reduce((sum, { length }) => sum + length, 0));
  const bytes = bytesOf(whole);
  let at = 0;
  for (const part of parts) {
    bytes.set(bytesOf(part), at);
    at += part.byteLength;
  }
  return whole;
}
