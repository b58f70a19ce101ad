import { ArrayOperand, like } from "../../cluster/communicator/collectives/array-operand.ts";
import { checkRoot } from "../../cluster/communicator/collectives/call-signature.ts";
import { ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import { elementsOf, operandOf } from "../../cluster/communicator/collectives/operand.ts";
import { startsOf } from "../../cluster/communicator/collectives/reduce-scatter.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { WholeOperand } from "../../cluster/communicator/collectives/whole-operand.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { bytesOf, encodeData } from "../../cluster/communicator/data.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import type { Reduction } from "../../cluster/communicator/operators.ts";
import { dtypeOf, type TypedArray } from "../../core/dtype.ts";
import { maxInt } from "./library.ts";
import { type NativeReduction, nativeReduction } from "./native-reduction.ts";
import type { OpenedCall, OpenedCalls } from "./opened-calls.ts";
import { type CallOpening, type OpenedData, shortData } from "./opening.ts";

/** A reduction that all ranks have opened. */
interface OpenedReduction<D extends Data> {
  readonly opened: OpenedCall;
  readonly operand: ArrayOperand | WholeOperand<D>;
  /** The ranks' data, if all are short: they are reduced by each rank. */
  readonly short: readonly OpenedData[] | undefined;
  /** Otherwise MPI's operator, if it has one. */
  readonly native: NativeReduction | undefined;
}

/** MPI_Iallreduce, MPI_Iscan and MPI_Iexscan. */
export async function reduceOnAll<D extends Data>(
  calls: OpenedCalls,
  operation: "allreduce" | "scan" | "exscan",
  data: D,
  operator: Reduction<D>,
  own: () => Promise<D | undefined>,
): Promise<D | undefined> {
  const { opened, operand, short, native } = await open(calls, operation, data, operator, (signed) =>
    operandOf(signed, data, operator, operation),
  );
  const count = { allreduce: calls.size, scan: calls.rank + 1, exscan: calls.rank }[operation];
  if (short || !native) {
    opened.skip();
    return short ? folded<D>(short.slice(0, count), operand) : own();
  }
  const from = data as TypedArray;
  const into = like(from, from.length);
  const call = calls.library.call[functions[operation]];
  await opened.run(
    `MPI_${functions[operation]}`,
    (on, request) => call(from, into, from.length, native.type, native.operator, on, request),
    [from, into],
  );
  return count > 0 ? (into as Data as D) : undefined;
}

const functions = { allreduce: "Iallreduce", scan: "Iscan", exscan: "Iexscan" } as const;

/** MPI_Ireduce. */
export async function reduce<D extends Data>(
  calls: OpenedCalls,
  exchange: Exchange,
  data: D,
  operator: Reduction<D>,
  root: number,
  tuning: Tuning,
): Promise<D | undefined> {
  checkRoot(exchange, root, "reduce");
  const { opened, operand, short, native } = await open(calls, "reduce", data, operator, (signed) =>
    operandOf(signed, data, operator, "reduce", root),
  );
  const isRoot = calls.rank === root;
  if (short || !native) {
    opened.skip();
    if (!short) return ownCollectives.reduce(exchange, data, operator, root, tuning);
    return isRoot ? folded<D>(short, operand) : undefined;
  }
  // Libraries group operands as suits the root, but the result must not depend on it.
  const first = native.isExact ? root : 0;
  const from = data as TypedArray;
  const into = isRoot || calls.rank === first ? like(from, from.length) : null;
  const { call } = calls.library;
  await opened.run(
    "MPI_Ireduce",
    (on, request) => call.Ireduce(from, into, from.length, native.type, native.operator, first, on, request),
    [from, into],
  );
  if (into && first !== root) {
    if (isRoot) await exchange.receiveInto(first, 0, bytesOf(into));
    else await exchange.send(root, 0, bytesOf(into));
  }
  return isRoot ? (into as Data as D) : undefined;
}

/** MPI_Ireduce_scatter. */
export async function reduceScatter<D extends TypedArray>(
  calls: OpenedCalls,
  exchange: Exchange,
  data: D,
  counts: readonly number[],
  operator: Reduction<D>,
  tuning: Tuning,
): Promise<D> {
  const starts = startsOf(exchange, data.length, counts, operator.group);
  const { opened, operand, short, native } = await open(calls, "reduceScatter", data, operator, (signed) =>
    elementsOf(signed, data, operator, "reduceScatter"),
  );
  if (short || !native) {
    opened.skip();
    if (!short) return ownCollectives.reduceScatter(exchange, data, counts, operator, tuning);
    const whole = folded<D>(short, operand) as D;
    return whole.slice(starts[calls.rank], starts[calls.rank + 1]) as D;
  }
  const into = like(data, counts[calls.rank]);
  const lengths = Int32Array.from(counts);
  const { call } = calls.library;
  await opened.run(
    "MPI_Ireduce_scatter",
    (on, request) => call.Ireduce_scatter(data, into, lengths, native.type, native.operator, on, request),
    [data, into, lengths],
  );
  return into as D;
}

async function open<D extends Data>(
  calls: OpenedCalls,
  operation: CallOpening["operation"],
  data: D,
  operator: Reduction<D>,
  operandOf: (signed: Pick<Exchange, "setSignature">) => OpenedReduction<D>["operand"],
): Promise<OpenedReduction<D>> {
  let signature = 0;
  const operand = operandOf({ setSignature: (hash) => (signature = hash) });
  const opened = await calls.open({ operation, signature, data: encodeData(data, operation) });
  const short = opened.data.every(({ bytes }) => bytes) ? opened.data : undefined;
  const native =
    operand instanceof ArrayOperand && operand.value.length <= maxInt
      ? nativeReduction(operator, dtypeOf(operand.value), calls.library.abi)
      : undefined;
  return { opened, operand, short, native };
}

/** Short data combined one after the other, in memory of their own; undefined if there are none. */
function folded<D extends Data>(
  data: readonly OpenedData[],
  operand: ArrayOperand | WholeOperand<D>,
): D | undefined {
  let sum: D | undefined;
  for (const one of data) {
    const next = shortData<D>(one);
    if (sum === undefined) sum = next;
    else if (operand instanceof ArrayOperand) {
      const array = next as TypedArray;
      operand.combine(sum as TypedArray, array, 0, array.length);
      sum = next;
    } else sum = operand.join(sum, next);
  }
  return sum;
}
