import type { NeighborLists } from "./neighbor-lists.ts";

/** Lists of points that are neighbours of other points, of at most k: point i of these is the one of the id `first` + i. */
export function withoutThemselves(
  { starts, ids, squares }: NeighborLists,
  first: number,
  k: number,
): NeighborLists {
  const others = { starts: new Uint32Array(starts.length), ids: ids.slice(), squares: squares.slice() };
  let end = 0;
  for (let i = 0; i + 1 < starts.length; i++) {
    const full = end + k;
    for (let at = starts[i]; at < starts[i + 1] && end < full; at++) {
      if (ids[at] === first + i) continue;
      others.ids[end] = ids[at];
      others.squares[end++] = squares[at];
    }
    others.starts[i + 1] = end;
  }
  return { starts: others.starts, ids: others.ids.slice(0, end), squares: others.squares.slice(0, end) };
}
