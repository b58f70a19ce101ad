import type { TypedArray } from "../../../core/dtype.ts";
import { bytesOf } from "../data.ts";
import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { Reduction } from "../operators.ts";
import { type ArrayOperand, like } from "./array-operand.ts";
import { blockOf, type Combining, reduceScatterBlocks } from "./blocks.ts";
import { type Folded, fold, foldingOf } from "./fold.ts";
import { throttled } from "./in-flight.ts";
import { elementsOf } from "./operand.ts";
import { chooseAlgorithm, type Tuning } from "./tuning.ts";

/**
 * MPI_Reduce_scatter: rank i gets `counts[i]` elements of the reduced array, after those of the ranks
 * before.
 */
export async function reduceScatter<D extends TypedArray>(
  exchange: Exchange,
  data: D,
  counts: readonly number[],
  operator: Reduction<D>,
  tuning: Tuning,
): Promise<D> {
  const { isCommutative, group } = operator;
  const starts = startsOf(exchange, data.length, counts, group);
  const operand = elementsOf(exchange, data, operator, "reduceScatter");
  const { combine } = operand;
  const { rank, size } = exchange;
  const out = like(data, counts[rank]);
  if (size === 1) bytesOf(out).set(bytesOf(data));
  else if (chooseAlgorithm("reduceScatter", size, data.byteLength, isCommutative, tuning) === "pairwise") {
    await pairwise(exchange, data, starts, combine, out);
  } else await halving(exchange, operand, starts, { isCommutative, combine }, out);
  return out as D;
}

/**
 * Recursive halving (blocks.ts). The array is laid out so that blocks end where they belong: each block is
 * what one rank gets, or what a pair gets of which one rank gave its operand to the other and receives its
 * elements afterwards.
 */
async function halving(
  exchange: Exchange,
  operand: ArrayOperand,
  starts: readonly number[],
  combining: Combining,
  out: TypedArray,
): Promise<void> {
  const folded = foldingOf(exchange);
  await fold(exchange, operand, folded, 0);
  const elements = (rank: number) => operand.value.subarray(starts[rank], starts[rank + 1]);
  if (folded.rank === undefined) {
    await exchange.receiveInto(folded.mate as number, lastSlot, bytesOf(out));
    return;
  }
  const owners = ownersOf(folded, exchange.size);
  const laidOut = like(out, operand.value.length);
  const bounds = [0];
  for (const ranks of owners) {
    let end = bounds[bounds.length - 1];
    for (const rank of ranks) {
      bytesOf(laidOut.subarray(end)).set(bytesOf(elements(rank)));
      end += elements(rank).length;
    }
    bounds.push(end);
  }
  const reduced = like(out, laidOut.length);
  await reduceScatterBlocks({ exchange, folded, bounds, slot: 1 }, laidOut, reduced, combining);
  const block = blockOf(folded.rank, folded.size);
  let at = bounds[block];
  for (const rank of owners[block]) {
    const part = bytesOf(reduced.subarray(at, at + elements(rank).length));
    if (rank === exchange.rank) bytesOf(out).set(part);
    else await exchange.send(rank, lastSlot, part);
    at += elements(rank).length;
  }
}

/** The ranks whose elements make up each block. */
function ownersOf(folded: Folded, size: number): number[][] {
  const owners: number[][] = new Array(folded.size);
  const pairs = size - folded.size;
  for (let k = 0; k < folded.size; k++) {
    owners[blockOf(k, folded.size)] = k < pairs ? [2 * k, 2 * k + 1] : [k + pairs];
  }
  return owners;
}

const lastSlot = 128;

/** Messages in flight. */
const inFlight = 4;

/**
 * For long arrays and commutative operators: sends each rank its elements and receives this rank's own from
 * each.
 */
async function pairwise(
  exchange: Exchange,
  data: TypedArray,
  starts: readonly number[],
  combine: Combining["combine"],
  out: TypedArray,
): Promise<void> {
  const { rank, size } = exchange;
  const elements = (of: number) => data.subarray(starts[of], starts[of + 1]);
  bytesOf(out).set(bytesOf(elements(rank)));
  const scratch: TypedArray[] = [];
  let turn: Promise<void> = Promise.resolve();
  await throttled(size - 1, inFlight, async (k) => {
    const [to, from] = [(rank + k + 1) % size, (rank - k - 1 + size) % size];
    const received = scratch.pop() ?? like(out, out.length);
    const before = turn;
    let join = () => {};
    turn = new Promise((resolve) => {
      join = resolve;
    });
    await Promise.all([
      exchange.send(to, 0, bytesOf(elements(to))),
      exchange.receiveInto(from, 0, bytesOf(received)).then(() => before),
    ]);
    combine(received, out, 0, out.length);
    scratch.push(received);
    join();
  });
}

/** Where each rank's elements begin, and where the last rank's end. Throws BadArgument (MPI_ERR_COUNT). */
export function startsOf(
  exchange: Exchange,
  length: number,
  counts: readonly number[],
  group: number,
): number[] {
  const starts = [0];
  for (const count of counts) starts.push(starts[starts.length - 1] + count);
  const isSound =
    counts.length === exchange.size &&
    counts.every((count) => Number.isInteger(count) && count >= 0 && count % group === 0) &&
    starts[starts.length - 1] === length;
  if (isSound) return starts;
  throw new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_COUNT",
    operation: "reduceScatter",
    problem: `reduceScatter was given counts ${counts.join(", ")} for ${exchange.size} ranks and ${length} elements.`,
    remedy:
      "Pass one count for each rank, each a whole number of groups; they must add up to the array's length.",
  });
}
