import { CrinkleError } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { deferredArray } from "../bytes/deferred.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { type RawOptions, rawBytes, rawFault } from "./describe.ts";

/**
 * Opens a file of raw numbers, which must be at least as long as described; the rest is left unread, with a note. The
 * field is called “values”.
 */
export async function readRaw(source: Source, job: JobContext, options: RawOptions): Promise<StoredData> {
  const fault = rawFault(options, source.size);
  if (fault) {
    throw new CrinkleError({
      tag: "BadFile",
      problem: `“${source.name}” does not fit its description: ${fault}`,
      remedy: "Correct the dimensions, the type, the components or the header's length.",
    });
  }
  const { dims, origin, spacing, dtype, components, byteOrder, headerBytes } = options;
  const builder = new DataSetBuilder(source.name, { kind: "uniform", dims, origin, spacing });
  const unread = source.size - rawBytes(options);
  if (unread > 0) builder.note(`The last ${formatCount(unread)} bytes of the file were not read.`);
  const cursor = new ByteCursor(
    source,
    new Yielder(job, `Reading ${source.name}`),
    headerBytes,
    source.size,
    0,
  );
  const count = dims[0] * dims[1] * dims[2] * components;
  builder.add("values", "node", components, deferredArray(cursor, dtype, count, byteOrder, "the field"));
  return builder.build();
}
