/** Neighbours and coordinates of elements that are in the lattice's own order. */
import type { IndexMap } from "../hypercube/index-map.ts";
import { mapOf } from "../hypercube/operations.ts";
import { stridesOf } from "../hypercube/shape.ts";

/** Maps whence `below_i` and `above_i` take the elements beside an element along axis i, from the axis `first` on. */
export function besideMaps(lengths: readonly number[], first = 0): Record<string, IndexMap> {
  const maps: Record<string, IndexMap> = {};
  for (let axis = first; axis < lengths.length; axis++) {
    maps[`below_${axis}`] = mapOf(lengths, [{ kind: "shift", axis, by: 1 }]);
    maps[`above_${axis}`] = mapOf(lengths, [{ kind: "shift", axis, by: -1 }]);
  }
  return maps;
}

/** The names of these maps, of so many axes. */
export const besideNames = (axes: number): readonly string[] =>
  Array.from({ length: axes }, (_, axis) => [`below_${axis}`, `above_${axis}`]).flat();

/** For each axis an expression of ⌊element / stride⌋, which is the coordinate modulo any divisor of the axis's length. */
export const quotientTexts = (lengths: readonly number[], element = "element"): readonly string[] =>
  stridesOf(lengths).map((stride) => (stride === 1 ? element : `${element} / ${stride}u`));
