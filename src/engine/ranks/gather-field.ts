import { wholeBox } from "../../core/box.ts";
import { putValues, valuesIn } from "../../core/box-values.ts";
import { arrayOf, bytesPerElement, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import { formatBytes } from "../../core/format.ts";
import { valueCount, valueDims } from "../../core/grid.ts";
import { type Steps, withPauses } from "../../core/steps.ts";
import { ownValues, partsOfBox } from "./block-values.ts";
import { type RankedRun, withoutMargin } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

/** What all ranks together send at a time: rank 0 holds no more beyond the whole, and no message is longer. */
const bytesAtATime = 2 ** 28;

/**
 * The whole of a field on rank 0, in the memory that it takes and 256 MiB; undefined on the others. Throws TooLarge where rank 0
 * cannot hold it, and Cancelled.
 */
export async function gatherField(
  { communicator, data, job, watch }: RankedRun,
  part: OwnPart,
  maxBytes = bytesAtATime,
): Promise<Field | undefined> {
  const { field } = withoutMargin(data, part);
  const { name, components, centering, dtype } = field;
  const { rank, size } = communicator;
  const boxes = data.shares.map((cells) => ownValues(data.grid, cells, centering));
  const elements = Math.floor(maxBytes / (size * components * bytesPerElement(dtype)));
  const parts = boxes.map((box) => [...partsOfBox(box, elements)]);
  const rounds = Math.max(...parts.map(({ length }) => length));
  const whole = rank === 0 ? emptyWhole(field, valueCount(data.grid, centering) * components) : undefined;
  const all = wholeBox(valueDims(data.grid, centering));
  function* put(arrived: readonly TypedArray[], round: number): Steps<void> {
    for (const [from, values] of arrived.entries()) {
      const box = parts[from][round];
      if (whole && box) putValues(whole, all, values, box, components);
      yield;
    }
  }
  for (let round = 0; round < rounds; round++) {
    job.progress(round / rounds, `Gathering ${name}`);
    const box = parts[rank][round];
    const own = box ? valuesIn(field.data, boxes[rank], box, components) : field.data.subarray(0, 0);
    const arrived = await communicator.gather<TypedArray>(own, 0);
    if (arrived) {
      await watch.time("pack", () => withPauses(put(arrived, round), job, `Gathering ${name}`));
    }
  }
  return whole && { name, components, centering, dtype, data: whole };
}

function emptyWhole({ name, dtype }: Field, length: number): Field["data"] {
  try {
    return new (arrayOf(dtype))(length);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `“${name}” has ${formatBytes(bytesPerElement(dtype) * length)}, which rank 0 cannot hold as a whole.`,
      remedy: "Have each rank write its piece instead: give a file named .pvti or .pvtr.",
      cause,
    });
  }
}
