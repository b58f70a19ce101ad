import { CrinkleError } from "../core/errors.ts";
import { formatCount } from "../core/format.ts";

/** Bytes that can be read piece by piece: a File, an array, a path. */
export interface Source {
  /** The file's name without folders; its extension is a hint to the format. */
  readonly name: string;
  /** Length in bytes. */
  readonly size: number;
  /**
   * The bytes [from, to), where 0 ≤ from ≤ to ≤ size, in a fresh array at offset 0 of its own buffer:
   * the caller may keep and change them. Rejects with BadFile if the bytes cannot be read.
   */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A File or Blob as a source; it is read only on request. */
export function blobSource(file: Blob, name: string): Source {
  return {
    name,
    size: file.size,
    async read(from, to) {
      try {
        return new Uint8Array(await file.slice(from, to).arrayBuffer());
      } catch (cause) {
        throw new CrinkleError({
          tag: "BadFile",
          problem: `“${name}” could not be read between byte ${formatCount(from)} and byte ${formatCount(to)}.`,
          remedy: "It may have changed or moved since it was chosen; open it again.",
          cause,
        });
      }
    },
  };
}

/** Bytes already in memory as a source; reads are copies, so `bytes` stays unchanged. */
export function bytesSource(bytes: Uint8Array, name: string): Source {
  return {
    name,
    size: bytes.length,
    read: async (from, to) => new Uint8Array(bytes.subarray(from, to)),
  };
}
