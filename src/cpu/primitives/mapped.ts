import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
const ranges: Readonly<Record<ScalarType, readonly [least: number, greatest: number]>> = {
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  f32: [NEGATIVE_INFINITY, POSITIVE_INFINITY],
};

/**
 * f of an element of each source (at least one, all of one length), as elements of the type. Integers wrap; made of
 * f32, numbers beyond an integer type become its least or greatest, as WGSL converts them.
 */
export function mappedWords<T extends ScalarType>(
  type: T,
  sources: readonly HostArray[],
  f: (...x: number[]) => number,
): HostArray<T> {
  const [source, ...others] = sources;
  const words = newWords(type, source.length);
  const value =
    others.length === 0 ? (i: number) => f(source[i]) : (i: number) => f(...sources.map((words) => words[i]));
  if (type === "f32" || !sources.some((words) => words instanceof Float32Array)) {
    for (let i = 0; i < words.length; i++) words[i] = value(i);
  } else {
    const [least, greatest] = ranges[type];
    for (let i = 0; i < words.length; i++) words[i] = Math.min(Math.max(value(i), least), greatest);
  }
  return words;
}
