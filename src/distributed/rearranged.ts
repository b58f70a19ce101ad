import type { Communicator } from "../cluster/communicator/communicator.ts";
import type { TypedArray } from "../core/dtype.ts";
import { carry, emptyLike, packed, unpack } from "../core/hypercube/carried.ts";
import type { IndexMap } from "../core/hypercube/index-map.ts";
import { countOfPart, type Part, travelBetween, travelMap } from "../core/hypercube/travel.ts";
import type { Packing } from "./api.ts";
import { packed as measured } from "./exchange.ts";

/** Messages of values that a map moves to other ranks. */
const movedTag = 5;

type Messages = Pick<Communicator, "rank" | "size" | "send" | "recv"> & Packing;

/** The parts of a map's source and of its result that each rank has. A result's parts may overlap; a source's do not. */
export interface PartsOfMap {
  readonly sources: readonly Part[];
  readonly targets: readonly Part[];
}

/**
 * This rank's part of what a map makes, of this rank's part of its source, with `components` values an element; 0 where the map fills
 * in. All ranks derive from the map alone which elements each has for which other: these are all that travels, in one message where
 * there are any. All ranks call it together.
 */
export async function rearrangedOnRanks<T extends TypedArray>(
  communicator: Messages,
  map: IndexMap,
  { sources, targets }: PartsOfMap,
  values: T,
  components = 1,
): Promise<T> {
  const { rank, size } = communicator;
  const groups = travelMap(map);
  const result = emptyLike(values, countOfPart(targets[rank]) * components);
  const others = Array.from({ length: size - 1 }, (_, k) => (rank + 1 + k) % size);
  const sends: Promise<void>[] = [];
  for (const to of others) {
    const travel = travelBetween(groups, sources[rank], targets[to]);
    if (travel.count === 0) continue;
    const message = measured(communicator, () => packed(travel, values, components));
    const send = communicator.send(to, message, movedTag);
    // Its failure is thrown where it is awaited, which a failing receive would keep from happening.
    send.catch(() => {});
    sends.push(send);
  }
  const staying = travelBetween(groups, sources[rank], targets[rank]);
  measured(communicator, () => carry(staying, values, result, components));
  for (const from of others) {
    const travel = travelBetween(groups, sources[from], targets[rank]);
    if (travel.count === 0) continue;
    const { data } = await communicator.recv<TypedArray>(from, movedTag);
    measured(communicator, () => unpack(travel, data, result, components));
  }
  await Promise.all(sends);
  return result;
}

/** The axis across which an array is cut for so many ranks: the slowest that has a layer for each, or else the fastest. */
export const cutAxis = (lengths: readonly number[], ranks: number): number =>
  Math.max(
    0,
    lengths.findLastIndex((length) => length >= ranks),
  );

/**
 * A part for each rank of an array of these lengths: equal shares of the layers across one axis, the slowest that has a layer for each
 * rank. Where none has, parts of the fastest axis are empty on some ranks.
 */
export function evenParts(lengths: readonly number[], ranks: number, cut = cutAxis(lengths, ranks)): Part[] {
  return Array.from({ length: ranks }, (_, rank) => ({
    first: lengths.map((length, axis) => (axis === cut ? Math.floor((rank * length) / ranks) : 0)),
    end: lengths.map((length, axis) => (axis === cut ? Math.floor(((rank + 1) * length) / ranks) : length)),
  }));
}
