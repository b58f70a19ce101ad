import { formulaOf, indexFormulaOf } from "../core/hypercube/formula.ts";
import {
  composeMaps,
  type IndexMap,
  invertedMap,
  isInvolution,
  sourceIndex,
} from "../core/hypercube/index-map.ts";
import type { ElementTypeName } from "../core/hypercube/shape.ts";
import type { LayoutMap } from "./hypercube-api.ts";
import { badArgument, shown } from "./refusal.ts";

const known = new WeakMap<object, IndexMap>();

/** The index map that a map of a host program is. Throws BadArgument where it is none. */
export function indexMapOf(map: unknown): IndexMap {
  const found = typeof map === "object" && map !== null ? known.get(map) : undefined;
  if (found) return found;
  throw badArgument(`A map is ${shown(map)}.`, "Make it by hypercube.map.");
}

/** An index map as host programs have it, of elements of a type if their shape has one. */
export function layoutMap(map: IndexMap, type: ElementTypeName | undefined): LayoutMap {
  const back = invertedMap(map);
  const shapeOf = (lengths: readonly number[]) => (type ? { lengths, type } : { lengths });
  let indexOf: ((index: number) => number | undefined) | undefined;
  const made: LayoutMap = {
    from: shapeOf(map.from),
    to: shapeOf(map.to),
    get formula() {
      return formulaOf(map);
    },
    get indexFormula() {
      return indexFormulaOf(map);
    },
    isBijection: back !== undefined,
    isInPlace: isInvolution(map),
    sourceIndex(index) {
      indexOf ??= sourceIndex(map);
      return indexOf(index);
    },
    followedBy: (...maps) => layoutMap(composeMaps(map, ...maps.map(indexMapOf)), type),
    inverse() {
      if (back) return layoutMap(back, type);
      throw badArgument(
        `The map ${formulaOf(map)} has no inverse.`,
        "Only maps that keep every element and add none have one.",
      );
    },
  };
  known.set(made, map);
  return made;
}
