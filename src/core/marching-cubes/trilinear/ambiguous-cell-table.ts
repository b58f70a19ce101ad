import { edgeLow } from "../cube.ts";
import { caseTable, maxTriangles } from "../table.ts";
import { isOpenCase } from "./cell.ts";
import { ambiguousFaces, joinedFaces } from "./faces.ts";
import { innerConnections } from "./inner-connection.ts";
import { firstInner, firstInnerBits, maxInner, type Patch } from "./patch.ts";
import { type Patches, patchesOf } from "./patches.ts";

const bitsOf = (vertex: number) =>
  vertex < firstInner ? edgeLow[vertex] | ((vertex >> 2) << 3) : firstInnerBits + vertex - firstInner;

let table: Uint32Array<ArrayBuffer> | undefined;

/**
 * Every patch of every case, for kernels; made when it is first asked for. Word p, of patch p, counts its triangles in
 * five bits and its inner vertices in three, before the word of its triangles: two in each, 15 bits each, three vertices
 * (`bitsOf`). Patches 0 to 255 are the cases' own; the word of an open case has the highest bit set, before the word of
 * its first outline. An outline's patch without a tunnel is in twelve bits, before the word of its patches by kinds of
 * inner connections, 0 where it has no tunnel.
 */
export function ambiguousCellTable(): Uint32Array<ArrayBuffer> {
  table ??= makeTable();
  return table;
}

function makeTable(): Uint32Array<ArrayBuffer> {
  const patches: (Patch | undefined)[] = Array.from({ length: 256 }, (_, above) => plainPatch(above));
  const cases = isOpenCase.map((isOpen, above) => (isOpen ? outlinesOf(above) : []));
  const numbers = new Map<Patch, number>();
  const numberOf = (patch: Patch): number => {
    let number = numbers.get(patch);
    if (number === undefined) {
      number = patches.push(patch) - 1;
      numbers.set(patch, number);
    }
    return number;
  };
  for (const { plain, tunnels } of cases.flat()) {
    numberOf(plain);
    for (const patch of tunnels) if (patch) numberOf(patch);
  }
  const words: number[] = new Array(patches.length).fill(0);
  for (const [number, patch] of patches.entries()) {
    if (patch) words[number] = pushPatch(words, patch);
  }
  for (const [above, outlines] of cases.entries()) {
    if (outlines.length > 0) words[above] = pushOutlines(words, outlines, numberOf);
  }
  return Uint32Array.from(words);
}

/** By the decisions about the ambiguous faces: bit i of an outline's number tells whether the i-th of them is joined. */
function outlinesOf(above: number): readonly Patches[] {
  const open = [0, 1, 2, 3, 4, 5].filter((face) => (ambiguousFaces[above] >> face) & 1);
  return Array.from({ length: 1 << open.length }, (_, decision) =>
    patchesOf(
      above,
      open.reduce((bits, face, i) => bits | (((decision >> i) & 1) << face), 0),
    ),
  );
}

function plainPatch(above: number): Patch | undefined {
  if (isOpenCase[above]) return undefined;
  const { counts, edges } = caseTable();
  const first = 3 * maxTriangles * above;
  return { triangles: [...edges.subarray(first, first + 3 * counts[above])], fans: [] };
}

function pushPatch(words: number[], { triangles }: Patch): number {
  const first = words.length;
  const count = triangles.length / 3;
  for (let t = 0; t < count; t++) {
    const [a, b, c] = triangles.slice(3 * t, 3 * t + 3).map(bitsOf);
    const word = first + (t >> 1);
    words[word] = (words[word] ?? 0) | ((a | (b << 5) | (c << 10)) << (15 * (t & 1)));
  }
  const inner = Math.max(firstInner - 1, ...triangles) + 1 - firstInner;
  if (count > 31 || inner > maxInner)
    throw new RangeError(`A patch has ${count} triangles, ${inner} vertices inside.`);
  return count | (inner << 5) | (first << 8);
}

function pushOutlines(
  words: number[],
  outlines: readonly Patches[],
  numberOf: (patch: Patch) => number,
): number {
  const first = words.length;
  words.push(...outlines.map(({ plain }) => numberOf(plain)));
  for (const [i, { tunnels }] of outlines.entries()) {
    if (tunnels.length === 0) continue;
    words[first + i] |= words.length << 12;
    words.push(...tunnels.map((patch) => (patch ? numberOf(patch) : 0)));
  }
  return 0x80000000 + first;
}

/** The patch of a cell, as `decide` has it: its number, and in bits 16 and 17 one more than the z edges around its tunnel. */
export function patchIn(words: ArrayLike<number>, above: number, values: ArrayLike<number>): number {
  if (words[above] >>> 31 === 0) return above;
  const joined = joinedFaces(above, values);
  let outline = words[above] & 0x7fffffff;
  for (let face = 0, bit = 0; face < 6; face++) {
    if (((ambiguousFaces[above] >> face) & 1) === 1) outline += ((joined >> face) & 1) << bit++;
  }
  const tunnels = words[outline] >>> 12;
  for (const { kind } of tunnels > 0 ? innerConnections(above, values) : []) {
    const patch = words[tunnels + kind];
    if (patch !== 0) return patch | (((kind >> 3) + 1) << 16);
  }
  return words[outline] & 0xfff;
}

/** Three vertices for each triangle of a patch, of five bits. */
export const vertexCountIn = (words: ArrayLike<number>, patch: number): number =>
  3 * (words[patch & 0xffff] & 31);

export function vertexIn(words: ArrayLike<number>, patch: number, visit: number): number {
  const t = Math.floor(visit / 3);
  const word = words[(words[patch & 0xffff] >>> 8) + (t >> 1)];
  return (word >>> (15 * (t & 1) + 5 * (visit % 3))) & 31;
}
