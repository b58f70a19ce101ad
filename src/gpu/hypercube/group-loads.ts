/** What a thread reads to make a group of neighbouring elements: vectors of the source where they hold whole groups, else elements. */
import type { Condition } from "../../core/hypercube/index-map.ts";
import { linearKey, multipleOf } from "../../core/hypercube/linear.ts";
import type { SourceIndex } from "../../kernel/hypercube/source-index.ts";

export interface GroupLoads {
  /** Elements that one load reads. */
  readonly width: number;
  /** Of each load, in units of its width. */
  readonly loads: readonly SourceIndex[];
  /** The load, and the element in it, that each element of the group is. */
  readonly parts: readonly { readonly load: number; readonly element: number }[];
}

/** More vectors than these hold more than twice what is wanted. */
const mostVectors = 2;

/**
 * The loads of a group whose elements come from `sources`, in vectors of as many elements if the source `hasVectors`. Where an
 * element may be 0 while its neighbour is not, elements are read one by one; `shared` are conditions of the whole group.
 */
export function groupLoads(
  sources: readonly SourceIndex[],
  hasVectors: boolean,
  shared: readonly Condition[] = [],
): GroupLoads {
  const width = sources.length;
  const single: GroupLoads = {
    width: 1,
    loads: sources.map(({ index, conditions }) => ({ index, conditions: [...conditions, ...shared] })),
    parts: sources.map((_, load) => ({ load, element: 0 })),
  };
  if (width === 1 || !hasVectors) return single;
  const loads = new Map<string, SourceIndex>();
  const parts: GroupLoads["parts"][number][] = [];
  for (const { index, conditions } of sources) {
    const multiple = conditions.length === 0 ? multipleOf(index, width) : undefined;
    if (!multiple) return single;
    const key = linearKey(multiple.of);
    if (!loads.has(key)) loads.set(key, { index: multiple.of, conditions: shared });
    parts.push({ load: [...loads.keys()].indexOf(key), element: multiple.rest });
  }
  return loads.size > mostVectors ? single : { width, loads: [...loads.values()], parts };
}
