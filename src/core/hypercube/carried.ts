/** Copies of the elements that go from a part of a source to a part of a result. */
import type { TypedArray } from "../dtype.ts";
import type { Places, Travel } from "./travel.ts";

/** Calls `visit` with the first place of each run in both arrays and its length, in the one order that both sides have. */
function forEachRun(
  { lists, count }: Travel,
  visit: (source: number, target: number, length: number) => void,
): void {
  if (count === 0) return;
  // The longest runs lie in the group of the fastest axis.
  const inner = lists.reduce((best, list, k) => (averageRun(list) > averageRun(lists[best]) ? k : best), 0);
  const { sources, targets, runs } = lists[inner];
  const others = lists.filter((_, k) => k !== inner);
  const walk = (depth: number, source: number, target: number): void => {
    if (depth < 0) {
      for (let r = 0; r + 1 < runs.length; r++)
        visit(source + sources[runs[r]], target + targets[runs[r]], runs[r + 1] - runs[r]);
      return;
    }
    const list = others[depth];
    for (const [k, place] of list.sources.entries())
      walk(depth - 1, source + place, target + list.targets[k]);
  };
  walk(others.length - 1, 0, 0);
}

const averageRun = ({ sources, runs }: Places): number => sources.length / (runs.length - 1);

/** Elements of so many values, one behind the other, as they travel. */
export function packed<T extends TypedArray>(travel: Travel, values: T, components: number): T {
  const message = emptyLike(values, travel.count * components);
  let at = 0;
  forEachRun(travel, (source, _, length) => {
    copyValues(message, at, values, source * components, length * components);
    at += length * components;
  });
  return message;
}

/** Puts elements that have travelled where they belong. */
export function unpack(travel: Travel, message: TypedArray, into: TypedArray, components: number): void {
  let at = 0;
  forEachRun(travel, (_, target, length) => {
    copyValues(into, target * components, message, at, length * components);
    at += length * components;
  });
}

/** Puts elements that stay on their rank where they belong. */
export function carry(travel: Travel, values: TypedArray, into: TypedArray, components: number): void {
  forEachRun(travel, (source, target, length) => {
    copyValues(into, target * components, values, source * components, length * components);
  });
}

/** An array of zeros of the same type. */
export const emptyLike = <T extends TypedArray>(values: T, length: number): T =>
  new (values.constructor as new (length: number) => T)(length);

/** Values are copied one by one where there are fewer of them: a view takes longer to make. */
const fewValues = 16;

/** Arrays of one type: numbers or bigints. */
function copyValues(to: TypedArray, at: number, from: TypedArray, start: number, length: number): void {
  const [target, source] = [to as Float64Array, from as Float64Array];
  if (length < fewValues) for (let k = 0; k < length; k++) target[at + k] = source[start + k];
  else target.set(source.subarray(start, start + length), at);
}
