/** ZIP archives (PKWARE's APPNOTE 6.3): what is stored as it is, or by deflate; of 4 GiB and more, too. */
import type { JobContext } from "../../core/job.ts";
import { allocate, bytesOf } from "../bytes/allocate.ts";
import { canInflateTo } from "../bytes/inflate.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile, unsupported } from "../failure.ts";
import { bytesSource, type Source } from "../source.ts";

/** A file of an archive, as the directory at its end describes it. */
export interface ZipEntry {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  /** Of its own header. */
  readonly offset: number;
}

const endBytes = 22;
const longestComment = 0xffff;
const entryBytes = 46;
const ownBytes = 30;
const word = 0xffffffff;
const signatures = {
  entry: 0x02014b50,
  own: 0x04034b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  place64: 0x07064b50,
};
const sizes64 = 1;

const broken = (name: string, what: string) =>
  badFile(name, "its archive", what, "The file is truncated or damaged.");

const viewOf = (bytes: Uint8Array<ArrayBuffer>) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the directory of an archive. Throws BadFile. */
export async function readZip(source: Source): Promise<readonly ZipEntry[]> {
  const { name } = source;
  const { first, length, count } = await directoryOf(source);
  if (first + length > source.size) throw broken(name, "its directory lies beyond the file.");
  const bytes = await source.read(first, first + length);
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + entryBytes > length || view.getUint32(at, true) !== signatures.entry)
      throw broken(name, `its directory has ${entries.length} of ${count} files.`);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true),
    );
    const extra = at + entryBytes + nameBytes;
    const end = extra + extraBytes + commentBytes;
    if (end > length) throw broken(name, "its directory is cut off.");
    // What does not fit a word is in an extra field, in this order.
    const wide = wideNumbers(view, extra, extra + extraBytes);
    const number = (place: number) => {
      const stated = view.getUint32(at + place, true);
      return stated === word ? (wide.shift() ?? stated) : stated;
    };
    const size = number(24);
    const compressed = number(20);
    entries.push({
      path: new TextDecoder().decode(bytes.subarray(at + entryBytes, extra)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size,
      compressed,
      offset: number(42),
    });
    at = end;
  }
  return entries;
}

async function directoryOf(source: Source): Promise<{ first: number; length: number; count: number }> {
  const { name, size } = source;
  const from = Math.max(0, size - endBytes - longestComment);
  const view = viewOf(await source.read(from, size));
  for (let at = view.byteLength - endBytes; at >= 0; at--) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    const [count, length, first] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ];
    const isWide = at >= 20 && view.getUint32(at - 20, true) === signatures.place64;
    if (!isWide) return { first, length, count };
    const place = Number(view.getBigUint64(at - 20 + 8, true));
    if (place + 56 > size) throw broken(name, "its directory lies beyond the file.");
    const end = viewOf(await source.read(place, place + 56));
    if (end.getUint32(0, true) !== signatures.end64)
      throw broken(name, "its directory is not where it is said to be.");
    const at64 = (offset: number) => Number(end.getBigUint64(offset, true));
    return { count: at64(32), length: at64(40), first: at64(48) };
  }
  throw broken(name, "its directory, which should be at the end, is missing.");
}

/** Numbers of eight bytes in the extra field for them. */
function wideNumbers(view: DataView, from: number, to: number): number[] {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== sizes64) continue;
    const count = Math.min(view.getUint16(at + 2, true), to - at - 4) >> 3;
    return Array.from({ length: count }, (_, k) => Number(view.getBigUint64(at + 4 + 8 * k, true)));
  }
  return [];
}

/** A file of an archive: read where it lies if it is stored as it is, else unpacked and checked. Throws BadFile, UnsupportedFormat, Cancelled. */
export async function openEntry(archive: Source, entry: ZipEntry, job: JobContext): Promise<Source> {
  const { name } = archive;
  const { path, method, size, compressed, offset } = entry;
  if (offset + ownBytes > archive.size) throw broken(name, `${path} lies beyond the file.`);
  const head = viewOf(await archive.read(offset, offset + ownBytes));
  if (head.getUint32(0, true) !== signatures.own)
    throw broken(name, `${path} is not where it is said to be.`);
  const first = offset + ownBytes + head.getUint16(26, true) + head.getUint16(28, true);
  if (first + compressed > archive.size) throw broken(name, `${path} is cut off.`);
  if (method === 0) {
    if (size !== compressed) throw broken(name, `${path} has two lengths.`);
    return {
      name: `${name}/${path}`,
      size,
      read: (from, to) => archive.read(first + from, first + to),
    };
  }
  if (method !== 8) {
    throw unsupported(
      `“${name}” has ${path} packed by method ${method}.`,
      "Save it by numpy.savez_compressed.",
    );
  }
  if (!canInflateTo(compressed, size)) throw broken(name, `${path} cannot be as long as is stated.`);
  const packed = await archive.read(first, first + compressed);
  const unpacked = bytesOf(allocate("u8", size, `“${path}”`));
  await inflate(packed, unpacked, new Yielder(job, `Unpacking ${name}`), (why) =>
    broken(name, `${path} ${why}.`),
  );
  if (crc32(unpacked) !== entry.crc) throw broken(name, `${path} has a wrong checksum.`);
  return bytesSource(unpacked, `${name}/${path}`);
}

async function inflate(
  packed: Uint8Array<ArrayBuffer>,
  target: Uint8Array,
  yielder: Yielder,
  fault: (why: string) => Error,
): Promise<void> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw fault("cannot be unpacked");
      });
      if (done) break;
      if (filled + value.length > target.length) throw fault("is longer than is stated");
      target.set(value, filled);
      filled += value.length;
      if (yielder.isDue()) await yielder.yield(filled / target.length);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (filled !== target.length) throw fault("is shorter than is stated");
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
