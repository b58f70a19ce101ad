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

/** Keeps the data that were opened last, and of each field the planes that were read last, unless they were fewer than before. */
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
    const data = isPointSet(opened) ? opened : { ...opened, fields: opened.fields.map(keepingPlanes) };
    this.#kept = { key, data };
    return data;
  }
}

function keepingPlanes(field: StoredField): StoredField {
  let kept: { readonly first: number; readonly end: number; readonly values: TypedArray } | undefined;
  return {
    ...field,
    async planes(first, end, job) {
      if (!kept || first < kept.first || end > kept.end) {
        // A few planes, as a question about one position reads, are not worth those of a rank's part.
        if (kept && end - first < kept.end - kept.first) return field.planes(first, end, job);
        kept = undefined;
        kept = { first, end, values: await field.planes(first, end, job) };
      }
      if (first === end) return kept.values.subarray(0, 0);
      const plane = kept.values.length / (kept.end - kept.first);
      return kept.values.subarray((first - kept.first) * plane, (end - kept.first) * plane);
    },
  };
}
