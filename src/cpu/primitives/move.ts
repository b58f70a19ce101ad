import { indexOutOfRange } from "../../core/primitives/checks.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

/** start + step · i in the type's own arithmetic. */
export function countingWords<T extends ScalarType>(
  type: T,
  length: number,
  start: number,
  step: number,
): HostArray<T> {
  const words = newWords(type, length);
  const [from, by] = [newWords(type, 2).fill(start)[0], newWords(type, 2).fill(step)[0]];
  const times =
    type === "f32" ? (i: number) => Math.fround(by * Math.fround(i)) : (i: number) => Math.imul(by, i);
  for (let i = 0; i < length; i++) words[i] = from + times(i);
  return words;
}

/** `length` elements of one value. */
export function filledWords<T extends ScalarType>(type: T, length: number, value: number): HostArray<T> {
  const words = newWords(type, length);
  words.fill(value);
  return words;
}

/** The elements from the last to the first. */
export function reversedWords<T extends ScalarType>(
  type: T,
  source: HostArray<T>,
  components: number,
): HostArray<T> {
  const words = newWords(type, source.length);
  const last = source.length - components;
  for (let w = 0; w < source.length; w += components) {
    for (let c = 0; c < components; c++) words[w + c] = source[last - w + c];
  }
  return words;
}

/** Elements source[map[i]], zeros where the index is out of range. */
export function gatheredWords<T extends ScalarType>(
  type: T,
  map: Uint32Array,
  source: HostArray<T>,
  components: number,
): HostArray<T> {
  const words = newWords(type, map.length * components);
  const length = source.length / components;
  for (let i = 0; i < map.length; i++) {
    if (map[i] >= length) continue;
    for (let c = 0; c < components; c++) words[i * components + c] = source[map[i] * components + c];
  }
  return words;
}

/** Changes `target` at the map's indices where the stencil is not 0. */
export function scatterWords(
  source: HostArray,
  map: Uint32Array,
  target: HostArray,
  components: number,
  stencil?: Uint32Array,
): void {
  const length = target.length / components;
  for (let i = 0; i < map.length; i++) {
    if (map[i] >= length || stencil?.[i] === 0) continue;
    for (let c = 0; c < components; c++) target[map[i] * components + c] = source[i * components + c];
  }
}

/** Positions of the elements that are kept, in order, then (where asked) of the others. */
export function selectedPositions(
  length: number,
  keeps: (i: number) => boolean,
  withOthers = false,
): { readonly map: Uint32Array; readonly selected: number } {
  const positions = newWords("u32", length);
  let selected = 0;
  for (let i = 0; i < length; i++) if (keeps(i)) positions[selected++] = i;
  let next = selected;
  if (withOthers) for (let i = 0; i < length; i++) if (!keeps(i)) positions[next++] = i;
  return { map: positions.slice(0, next), selected };
}

/** Throws for the first index that is out of range, of those whose stencil is not 0. */
export function checkIndexRange(
  what: string,
  indices: Uint32Array,
  length: number,
  stencil?: Uint32Array,
): void {
  const position = indices.findIndex((index, i) => index >= length && stencil?.[i] !== 0);
  if (position >= 0) throw indexOutOfRange(what, position, indices[position], length);
}
