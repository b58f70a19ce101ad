import { type Box, boxCount } from "../../core/box.ts";
import { isWithin, valuesIn } from "../../core/box-values.ts";
import type { TypedArray } from "../../core/dtype.ts";
import type { JobContext } from "../../core/job.ts";
import { isPointSet, type PointSet } from "../../core/point-set.ts";
import type { StoredData, StoredField } from "../../data/stored.ts";
import type { DataSource } from "./data-source.ts";

/** Opens data where this rank may and can read them; calls `onRead` with the bytes that are then read from files. */
export type ReadSource = (
  source: DataSource,
  job: JobContext,
  onRead: (bytes: number) => void,
) => Promise<StoredData | PointSet | undefined>;

/** Keeps the data that were opened last, and of each field the box that was read last, unless its values were fewer than before. */
export class KeptData {
  readonly #read: ReadSource;
  #kept: { readonly key: string; readonly data: StoredData | PointSet } | undefined;
  #bytesRead = 0;

  constructor(read: ReadSource) {
    this.#read = read;
  }

  /** Bytes that were read from files so far. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  async read(source: DataSource, job: JobContext): Promise<StoredData | PointSet | undefined> {
    const key = JSON.stringify(source);
    if (this.#kept?.key === key) return this.#kept.data;
    this.#kept = undefined;
    const opened = await this.#read(source, job, (bytes) => {
      this.#bytesRead += bytes;
    });
    if (!opened) return undefined;
    const data = isPointSet(opened) ? opened : { ...opened, fields: opened.fields.map(keepingBox) };
    this.#kept = { key, data };
    return data;
  }
}

function keepingBox(field: StoredField): StoredField {
  let kept: { readonly box: Box; readonly values: TypedArray } | undefined;
  return {
    ...field,
    async values(box, job) {
      if (!kept || !isWithin(box, kept.box)) {
        // A few values, as a question about one position reads, are not worth those of a rank's part.
        if (kept && boxCount(box) < boxCount(kept.box)) return field.values(box, job);
        kept = undefined;
        kept = { box, values: await field.values(box, job) };
      }
      return valuesIn(kept.values, kept.box, box, field.components);
    },
  };
}
