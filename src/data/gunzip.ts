import type { JobContext } from "../core/job.ts";
import { allocate, bytesOf } from "./bytes/allocate.ts";
import { ByteCursor } from "./bytes/cursor.ts";
import { canInflateTo, inflateGzip } from "./bytes/inflate.ts";
import { Yielder } from "./bytes/yielder.ts";
import { badFile } from "./failure.ts";
import { bytesSource, type Source } from "./source.ts";

/** Whether a file begins as gzip's do. */
export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Bytes of a gzip file without content. */
const smallest = 20;

/**
 * What a gzip file (RFC 1952) holds, in memory, named without “.gz”. Its last four bytes state the length, so that nothing is kept
 * twice: files of one member and less than 4 GiB. Rejects with BadFile, OutOfMemory or Cancelled.
 */
export async function gunzip(source: Source, job: JobContext): Promise<Source> {
  const { name, size } = source;
  const trailer = size < smallest ? undefined : await source.read(size - 4, size);
  const length = trailer ? new DataView(trailer.buffer).getUint32(0, true) : 0;
  if (!trailer || !canInflateTo(size, length)) {
    throw badFile(
      name,
      "its end",
      "it is compressed with gzip, but its stated length is beyond what its bytes can hold.",
      "The file is truncated or damaged, or has several parts: unpack it first.",
    );
  }
  const bytes = bytesOf(allocate("u8", length, `“${name}”`));
  const yielder = new Yielder(job, `Unpacking ${name}`);
  await inflateGzip(new ByteCursor(source, yielder), size, bytes, "the file", name, yielder);
  return bytesSource(bytes, name.replace(/\.gz$/i, ""));
}
