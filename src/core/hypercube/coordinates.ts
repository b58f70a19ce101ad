import { badArgument } from "../primitives/checks.ts";
import { countOf } from "./shape.ts";

/** The index of coordinates: k = x_0 + L_0·x_1 + L_0·L_1·x_2 + … (seed 002, equation 9 and Listing 1). */
export function toIndex(lengths: readonly number[], coordinates: readonly number[]): number {
  let index = 0;
  for (let axis = lengths.length - 1; axis >= 0; axis--) index = index * lengths[axis] + coordinates[axis];
  return index;
}

/** The coordinates of an index: x_i = ⌊k / LP_i⌋ mod L_i (seed 002, equation 10). */
export function toCoordinates(lengths: readonly number[], index: number): number[] {
  let rest = index;
  return lengths.map((length) => {
    const coordinate = rest % length;
    rest = (rest - coordinate) / length;
    return coordinate;
  });
}

/**
 * What lies beyond a border: the other side of the array; nothing, since a fixed value is there; or the array again, mirrored at
 * the border, so that the neighbour of the first element is the first element.
 */
export type Border = "periodic" | "fixed" | "reflecting";

const modulo = (x: number, n: number): number => ((x % n) + n) % n;

/** Where `coordinate`, any integer, leads on an axis; undefined beyond a fixed border. */
export function withinBorder(coordinate: number, length: number, border: Border): number | undefined {
  if (coordinate >= 0 && coordinate < length) return coordinate;
  if (border === "fixed") return undefined;
  if (border === "periodic") return modulo(coordinate, length);
  const folded = modulo(coordinate, 2 * length);
  return folded < length ? folded : 2 * length - 1 - folded;
}

/**
 * The index of the neighbour `distance` elements along an axis, of any sign and size; undefined beyond a fixed border. Seed 002's
 * Listing 2, which holds for distances of at least −L_i alone. Throws BadArgument for an axis or an index that there is not.
 */
export function neighbor(
  lengths: readonly number[],
  index: number,
  axis: number,
  distance: number,
  border: Border = "periodic",
): number | undefined {
  if (!(axis in lengths))
    throw badArgument(`There is no axis ${axis}.`, `The axes are 0 to ${lengths.length - 1}.`);
  const count = countOf(lengths);
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    throw badArgument(`There is no element ${index}.`, `The elements are 0 to ${count - 1}.`);
  }
  const coordinates = toCoordinates(lengths, index);
  const moved = withinBorder(coordinates[axis] + distance, lengths[axis], border);
  if (moved === undefined) return undefined;
  coordinates[axis] = moved;
  return toIndex(lengths, coordinates);
}
