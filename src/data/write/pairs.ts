import { isLittleEndian } from "../../core/dtype.ts";
import type { Chunks } from "./chunks.ts";
import { npyHead } from "./npy.ts";

/** Neighbours of point i are those from starts[i] to starts[i + 1]. */
interface Neighbors {
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
}

const rowsPerChunk = 1 << 14;

/** Writes a line of names, then one of numbers for each point and neighbour. */
export function writePairsCsv({ starts, ids, distances }: Neighbors): Chunks {
  const encoder = new TextEncoder();
  const chunks: Chunks = [encoder.encode("point,neighbor,distance\n")];
  let text = "";
  for (let point = 0, at = 0; at < ids.length; at++) {
    while (at === starts[point + 1]) point++;
    text += `${point},${ids[at]},${distances[at]}\n`;
    if ((at + 1) % rowsPerChunk !== 0 && at + 1 < ids.length) continue;
    chunks.push(encoder.encode(text));
    text = "";
  }
  return chunks;
}

/** Writes NumPy's .npy: an array of records of a point, a neighbour (both u32) and their distance (f64). */
export function writePairsNpy({ starts, ids, distances }: Neighbors): Chunks {
  const order = isLittleEndian ? "<" : ">";
  const fields = `[('point', '${order}u4'), ('neighbor', '${order}u4'), ('distance', '${order}f8')]`;
  const bytes = new Uint8Array(16 * ids.length);
  const [words, numbers] = [new Uint32Array(bytes.buffer), new Float64Array(bytes.buffer)];
  for (let point = 0, at = 0; at < ids.length; at++) {
    while (at === starts[point + 1]) point++;
    words[4 * at] = point;
    words[4 * at + 1] = ids[at];
    numbers[2 * at + 1] = distances[at];
  }
  return [npyHead(fields, `${ids.length},`), bytes];
}
