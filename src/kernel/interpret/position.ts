/** Where a kernel is, and where in the arrays at hand its reads are. */
import type { Access } from "../../core/primitives/access.ts";
import type { GridPart, InputBlock, KernelCall, Part, Triple } from "../layout.ts";

/** The element that a kernel is at. */
export interface Position {
  /** Flat number in the whole space. */
  readonly element: number;
  /** Number of its result in the whole space. */
  readonly place: number;
  /** In a grid; (element, 0, 0) in a row. */
  readonly at: Triple;
}

export const clamped = (i: number, max: number): number => Math.max(0, Math.min(i, max));

/** The number among the part's elements of a position in the whole grid, moved to the part's border where it is beyond. */
function indexInGrid({ origin, extents }: GridPart, x: number, y: number, z: number): number {
  const [i, j, k] = [x, y, z].map((p, axis) => clamped(p - origin[axis], extents[axis] - 1));
  return i + extents[0] * (j + extents[1] * k);
}

export function placeInGrid([nx, ny]: Triple, flat: number): Triple {
  const row = Math.floor(flat / nx);
  return [flat - row * nx, row % ny, Math.floor(row / ny)];
}

/** The same of a flat position in the whole. */
function indexOfFlat(part: Part, flat: number): number {
  if (part.kind === "row") {
    const { whole, first, length, isRing } = part;
    return clamped((isRing && flat < first ? flat + whole : flat) - first, length - 1);
  }
  const last = part.whole[0] * part.whole[1] * part.whole[2] - 1;
  return indexInGrid(part, ...placeInGrid(part.whole, clamped(flat, last)));
}

/** Which of the block's elements a load reads; `blocks` has the map, where there is one. */
export function loadIndex(
  { part }: InputBlock,
  access: Access,
  indices: readonly number[],
  { element, place, at }: Position,
  blocks: Readonly<Record<string, InputBlock>>,
): number {
  switch (access.kind) {
    case "own":
      return indexOfFlat(part, place);
    case "offsets": {
      const [dx, dy = 0, dz = 0] = indices;
      if (part.kind === "row") return indexOfFlat(part, element + dx);
      const [x, y, z] = at;
      return indexInGrid(part, x + dx, y + dy, z + dz);
    }
    case "map": {
      const map = blocks[access.map];
      const entry = element * access.arity + clamped(indices[0], access.arity - 1);
      return indexOfFlat(part, map.words[wordOf(map, 1, indexOfFlat(map.part, entry), 0)]);
    }
    case "footprint":
    case "all": {
      const [x, y, z] = indices;
      return indices.length === 3 && part.kind === "grid" ? indexInGrid(part, x, y, z) : indexOfFlat(part, x);
    }
  }
}

/** The word of a component of the block's element `index`. */
export function wordOf(block: InputBlock, components: number, index: number, component: number): number {
  const { lead = 0, elementStride = components, componentStride = 1 } = block;
  return lead + index * elementStride + component * componentStride;
}

/** Calls `visit` with the position of each element of a call's space, in the order of its results. */
export function forEachPosition(
  { space, at: list }: Pick<KernelCall, "space" | "at">,
  visit: (position: Position, result: number) => void,
): void {
  if (space.kind === "row") {
    for (let i = 0; i < space.length; i++) {
      const place = space.first + i;
      const element = list ? list.elements[i] : place;
      visit({ element, place, at: list?.grid ? placeInGrid(list.grid, element) : [element, 0, 0] }, i);
    }
    return;
  }
  const { whole, origin, extents } = space;
  let result = 0;
  for (let z = origin[2]; z < origin[2] + extents[2]; z++) {
    for (let y = origin[1]; y < origin[1] + extents[1]; y++) {
      for (let x = origin[0]; x < origin[0] + extents[0]; x++) {
        const element = x + whole[0] * (y + whole[1] * z);
        visit({ element, place: element, at: [x, y, z] }, result++);
      }
    }
  }
}
