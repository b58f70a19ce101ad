/**
 * The digits of a map's index, as tiles are cut from them: those of the result from low to high, each with its rank in the source's
 * index. A tile is a range of every digit, of one value where it is not in the tile.
 */
import { axesOfDigits, type DigitStep, radicesOfResult } from "../../core/hypercube/digits.ts";
import type { IndexMap } from "../../core/hypercube/index-map.ts";

/** An axis, and by how much a step of a digit moves along it. */
interface Along {
  readonly axis: number;
  readonly weight: number;
}

export interface TileDigit {
  readonly radix: number;
  readonly result: Along;
  /** In the source of the rearrangement; what is there is the digit's complement where it is flipped. */
  readonly source: Along;
  readonly isFlipped: boolean;
  /** Among the source's digits, from low to high. */
  readonly rank: number;
}

/** The one rearrangement of digits in a map; undefined where there are several or none. */
export function onlyDigits({ steps }: IndexMap): DigitStep | undefined {
  const found = steps.filter((step) => step.kind === "digits");
  return found.length === 1 ? found[0] : undefined;
}

/** The digits of a map; undefined where it is not one rearrangement of digits between moves along whole axes. */
export function tileDigits(map: IndexMap): readonly TileDigit[] | undefined {
  const step = onlyDigits(map);
  if (!step) return undefined;
  const radices = radicesOfResult(step);
  const result = alongAxes(step.to, radices);
  const source = alongAxes(step.from, step.radices);
  // A window makes another length, which stands for all of an axis.
  const isOther = (axis: number) => map.to[axis] !== step.to[axis];
  const isWhole = (axis: number) => result.filter((along) => along.axis === axis).length === 1;
  if (!map.to.every((_, axis) => !isOther(axis) || isWhole(axis))) return undefined;
  return step.places.map(({ digit, isFlipped }, place) => {
    const { axis } = result[place];
    return {
      radix: isOther(axis) ? map.to[axis] : radices[place],
      result: result[place],
      source: source[digit],
      isFlipped,
      rank: digit,
    };
  });
}

function alongAxes(lengths: readonly number[], radices: readonly number[]): Along[] {
  const axes = axesOfDigits(lengths, radices);
  let weight = 1;
  return axes.map((axis, k) => {
    if (k > 0 && axis !== axes[k - 1]) weight = 1;
    const own = weight;
    weight *= radices[k];
    return { axis, weight: own };
  });
}

/** Places of the digits in the order of the result's index, or of the source's. */
export function placesIn(digits: readonly TileDigit[], order: "result" | "source"): number[] {
  const places = digits.map((_, place) => place);
  return order === "result" ? places : places.sort((a, b) => digits[a].rank - digits[b].rank);
}

/** The same digits, divided so that the lowest in an order make `width`; undefined where they have no such factor. */
export function dividedAt(
  digits: readonly TileDigit[],
  order: "result" | "source",
  width: number,
): readonly TileDigit[] | undefined {
  let left = width;
  for (const place of placesIn(digits, order)) {
    const { radix } = digits[place];
    if (left === 1) break;
    if (left % radix === 0) left /= radix;
    else return radix % left === 0 ? divided(digits, place, left) : undefined;
  }
  return left === 1 ? digits : undefined;
}

function divided(digits: readonly TileDigit[], place: number, low: number): readonly TileDigit[] {
  const { radix, result, source, rank } = digits[place];
  const above = ({ axis, weight }: Along): Along => ({ axis, weight: weight * low });
  return digits.flatMap((digit, k) => {
    const moved = digit.rank > rank ? { ...digit, rank: digit.rank + 1 } : digit;
    if (k !== place) return [moved];
    return [
      { ...digit, radix: low },
      { ...digit, radix: radix / low, result: above(result), source: above(source), rank: rank + 1 },
    ];
  });
}
