import { firstElement } from "../../algorithms/statistics/first-element.ts";
import { hostHistogram, hostSummary, hostValues } from "../../algorithms/statistics/host.ts";
import { digitsOf, quantileOf, Selection } from "../../algorithms/statistics/selection.ts";
import { joined, type Summary, statisticsOf } from "../../algorithms/statistics/statistics.ts";
import type { Communicator } from "../../cluster/communicator/communicator.ts";
import { add, min } from "../../cluster/communicator/operators/elements.ts";
import { type Box, numberInBox, wholeBox } from "../../core/box.ts";
import { placeInBox } from "../../core/box-values.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueDims, valuePosition } from "../../core/grid.ts";
import type { Tally } from "../../core/primitives/reduction.ts";
import type { Statistics } from "../../core/statistics.ts";
import { createCpuEach } from "../../cpu/primitives/each-primitives.ts";
import type { ScalarValues } from "../../lang/expression/filters/filter.ts";

const primitives = createCpuEach();

/** The values of a field that a rank has, in host memory: those of a box of the whole's. */
export interface OwnPart {
  readonly field: Field;
  readonly box: Box;
}

/**
 * The statistics of all ranks' parts of fields, on all ranks, in one exchange: six numbers of each field, and two of each of several components, travel from each rank. Sums
 * repeat to the bit.
 */
export async function rankedStatistics(
  communicator: Communicator,
  parts: readonly OwnPart[],
): Promise<Statistics[]> {
  const own: Summary[] = [];
  for (const part of parts) own.push(await partSummary(part));
  return joinedStatistics(communicator, own);
}

export const partSummary = ({ field }: OwnPart): Promise<Summary> =>
  hostSummary(primitives, field.data, field.components);

/** The statistics of fields of whose parts each rank has summaries, in the same order. */
export async function joinedStatistics(
  communicator: Communicator,
  own: readonly Summary[],
): Promise<Statistics[]> {
  if (own.length === 0) return [];
  const all = await communicator.allgather(Float64Array.from(own.flatMap(wordsOf)));
  let at = 0;
  return own.map((summary) => {
    const from = at;
    at += wordsOf(summary).length;
    return statisticsOf(all.map((words) => summaryIn(words.subarray(from, at))).reduce(joined));
  });
}

const wordsOf = ({ least, greatest, sum, nan, infinite, count, ranges }: Summary): number[] => [
  least,
  greatest,
  sum,
  nan,
  infinite,
  count,
  ...ranges.flat(),
];

function summaryIn(words: Float64Array): Summary {
  const [least, greatest, sum, nan, infinite, count, ...bounds] = words;
  const ranges = Array.from(
    { length: bounds.length / 2 },
    (_, c) => [bounds[2 * c], bounds[2 * c + 1]] as const,
  );
  return { least, greatest, sum, nan, infinite, count, ranges };
}

/**
 * Takes the statistics of parts that are asked for at the same time in one exchange. All ranks ask for the same, in the same
 * order, without waiting in between for anything else than earlier results.
 */
export function statisticsTogether(
  take: (parts: readonly OwnPart[]) => Promise<readonly Statistics[]>,
): (part: OwnPart) => Promise<Statistics> {
  let asked: OwnPart[] = [];
  let taken: Promise<readonly Statistics[]> | undefined;
  return async (part) => {
    const place = asked.push(part) - 1;
    taken ??= Promise.resolve().then(() => {
      const parts = asked;
      asked = [];
      taken = undefined;
      return take(parts);
    });
    return (await taken)[place];
  };
}

/**
 * The values of a scalar of f32 or f64 whose parts the ranks have; `take` gives its statistics. All ranks ask for the same, in the same
 * order.
 */
export function rankedValues(
  communicator: Communicator,
  grid: Grid,
  part: OwnPart,
  take = async (part: OwnPart) => (await rankedStatistics(communicator, [part]))[0],
): ScalarValues {
  const { data, centering } = part.field;
  const values = data as Float32Array | Float64Array;
  const whole = wholeBox(valueDims(grid, centering));
  let statistics: Promise<Statistics> | undefined;
  let selection: Selection | undefined;
  return {
    statistics() {
      statistics ??= take(part);
      return statistics;
    },
    quantile(p) {
      const field = { ...hostValues(primitives, values, 1), primitives: summing(communicator) };
      selection ??= new Selection(field, digitsOf(values));
      return quantileOf(selection, p);
    },
    async counts(range, bins) {
      return communicator.allreduce(await hostHistogram(primitives, values, 1, range, bins), add);
    },
    async positionOf(value) {
      const own = await firstElement(hostValues(primitives, values, 1), value);
      // The order of a box's values is that of the whole's.
      const place =
        own === undefined ? Number.POSITIVE_INFINITY : numberInBox(whole, placeInBox(part.box, own));
      const [lowest] = await communicator.allreduce(Float64Array.of(place), min);
      return valuePosition(grid, centering, Number.isFinite(lowest) ? lowest : 0);
    },
  };
}

/** Primitives that count the elements of all ranks; each is given its own. */
function summing(communicator: Communicator): typeof primitives {
  async function countEach(...[count, tally, bins, given]: Parameters<typeof primitives.countEach>) {
    const own = await primitives.countEach(count, tally as Tally, bins, given);
    const counts = await primitives.toHost(own);
    own.release();
    return primitives.fromHost("u32", await communicator.allreduce(counts, add));
  }
  return { ...primitives, countEach };
}
