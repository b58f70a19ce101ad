/**
 * Indices of a tile's elements as expressions of two numbers: that of a group of neighbours within the tile, in one of the two
 * orders, and that of the tile.
 */
import {
  type Condition,
  flatIndex,
  type IndexMap,
  sourceExpression,
} from "../../core/hypercube/index-map.ts";
import {
  axisOf,
  type Linear,
  quotientOf,
  remainderOf,
  scaled,
  sumOf,
  within,
} from "../../core/hypercube/linear.ts";
import { valueAt } from "../../core/hypercube/linear-values.ts";
import type { SourceIndex } from "../../kernel/hypercube/source-index.ts";
import { type Tile, tileCount, tileCounts, tileSize } from "./tile.ts";
import { onlyDigits, placesIn, type TileDigit } from "./tile-digits.ts";

export interface TileIndex {
  /** The source's index of each element of a group that is read along the source. */
  readonly sources: readonly SourceIndex[];
  /** Where the first element of such a group is in the tile, in the result's order, and the others from there on. */
  readonly place: Linear;
  readonly steps: readonly number[];
  /** The result's index of the first element of a group that is written along the result. */
  readonly result: Linear;
  /** Where a tile is not full: of the groups that are read, and of those that are written. */
  readonly inside: { readonly source: readonly Condition[]; readonly result: readonly Condition[] };
}

export function tileIndex(map: IndexMap, tile: Tile): TileIndex {
  const { widths } = tile;
  const read = Array.from({ length: widths.source }, (_, element) => elementOf(tile, "source", element));
  const written = elementOf(tile, "result", 0);
  const [{ place }] = read;
  return {
    sources: read.map((element) => sourceOf(map, tile, element)),
    place,
    steps: read.map((element) => valueAt(element.place, [0, 0]) - valueAt(place, [0, 0])),
    result: flatIndex(
      map.to,
      coordinatesIn(
        map.to,
        tile.digits.map(({ result }) => result),
        written.values,
      ),
    ),
    inside: { source: read[0].inside, result: written.inside },
  };
}

interface TileElement {
  /** Of each digit of the result. */
  readonly values: readonly Linear[];
  /** In the tile, in the result's order. */
  readonly place: Linear;
  readonly inside: readonly Condition[];
}

/** One element of each group that is counted in an order. */
function elementOf(tile: Tile, order: "result" | "source", element: number): TileElement {
  const { digits, extents, widths } = tile;
  const width = widths[order];
  const position = sumOf([scaled(axisOf(0, tileSize(tile) / width), width)], element);
  const locals: Linear[] = [];
  let weight = 1;
  for (const place of placesIn(digits, order)) {
    locals[place] = remainderOf(quotientOf(position, weight), extents[place]);
    weight *= extents[place];
  }
  const counts = tileCounts(tile);
  const number = axisOf(1, tileCount(tile));
  const inside: Condition[] = [];
  let [before, size] = [1, 1];
  const places: Linear[] = [];
  const values = digits.map(({ radix }, k) => {
    const tileOfDigit = remainderOf(quotientOf(number, before), counts[k]);
    const value = sumOf([scaled(tileOfDigit, extents[k]), locals[k]]);
    if (radix % extents[k] !== 0) inside.push({ of: value, first: 0, end: radix });
    places.push(scaled(locals[k], size));
    before *= counts[k];
    size *= extents[k];
    return within(value, 0, radix - 1);
  });
  return { values, place: sumOf(places), inside };
}

/** Coordinates of an array of these lengths, each of whose digits has its value along an axis. */
function coordinatesIn(
  lengths: readonly number[],
  along: readonly TileDigit["result"][],
  values: readonly Linear[],
): Linear[] {
  return lengths.map((length, axis) => {
    const parts = values.flatMap((value, k) =>
      along[k].axis === axis ? [scaled(value, along[k].weight)] : [],
    );
    return within(sumOf(parts), 0, length - 1);
  });
}

/** The source's index of an element: where nothing follows the rearrangement of digits, by the digits' own values. */
function sourceOf(map: IndexMap, { digits }: Tile, { values }: TileElement): SourceIndex {
  const step = onlyDigits(map)!;
  const isLast = map.steps.at(-1) === step;
  const { coordinates, conditions } = isLast
    ? sourceExpression(
        { from: map.from, to: step.from, steps: map.steps.slice(0, -1) },
        coordinatesIn(
          step.from,
          digits.map(({ source }) => source),
          digits.map(({ radix, isFlipped }, k) =>
            isFlipped ? sumOf([scaled(values[k], -1)], radix - 1) : values[k],
          ),
        ),
      )
    : sourceExpression(
        map,
        coordinatesIn(
          map.to,
          digits.map(({ result }) => result),
          values,
        ),
      );
  return { index: flatIndex(map.from, coordinates), conditions };
}
