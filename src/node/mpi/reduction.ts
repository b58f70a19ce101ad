import { ArrayOperand, like } from "../../cluster/communicator/collectives/array-operand.ts";
import { operandOf } from "../../cluster/communicator/collectives/operand.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { decodeData, encodeData } from "../../cluster/communicator/data.ts";
import type { ElementReduction, Reduction } from "../../cluster/communicator/operators.ts";
import { dtypeOf, type TypedArray } from "../../core/dtype.ts";
import type { Handle } from "./abi.ts";
import { maxInt } from "./library.ts";
import { nativeReduction } from "./native-reduction.ts";
import type { OpenedCall, OpenedCalls } from "./opened-calls.ts";
import { maxOpeningData, type OpenedData } from "./opening.ts";

/** What distinguishes reductions. */
interface ReductionCall<D extends Data> {
  readonly operation: "reduce" | "allreduce";
  readonly root: number | undefined;
  /** Whether this rank gets the result. */
  readonly isReceiver: boolean;
  /** Made of messages. */
  own(): Promise<D | undefined>;
  /** MPI's. */
  run(
    opened: OpenedCall,
    from: TypedArray,
    into: TypedArray | undefined,
    type: Handle,
    operator: Handle,
  ): Promise<void>;
}

/** A reduction by MPI if it has the operator; of short arrays by each rank, from their openings. */
export async function reduction<D extends Data>(
  calls: OpenedCalls,
  data: D,
  operator: Reduction<D>,
  { operation, root, isReceiver, own, run }: ReductionCall<D>,
): Promise<D | undefined> {
  let signature = 0;
  const operand = operandOf({ setSignature: (hash) => (signature = hash) }, data, operator, operation, root);
  const array = operand instanceof ArrayOperand ? operand : undefined;
  const given = array && encodeData(data, operation);
  const opened = await calls.open({ operation, signature, data: given });
  if (!array) {
    opened.skip();
    return own();
  }
  const { value } = array;
  const isShort = value.byteLength <= maxOpeningData;
  const native = nativeReduction(operator, dtypeOf(value), calls.library.abi);
  if (isShort || !native || value.length > maxInt) {
    opened.skip();
    if (!isShort) return own();
    return isReceiver ? (folded(opened.data, array.combine) as D) : undefined;
  }
  const into = isReceiver ? like(value, value.length) : undefined;
  await run(opened, value, into, native.type, native.operator);
  return into as D | undefined;
}

/** Combines short arrays in rank order. */
function folded(data: readonly OpenedData[], combine: NonNullable<ElementReduction["combine"]>): TypedArray {
  const arrays = data.map(
    ({ code, bytes }) => decodeData({ code, bytes: bytes as Uint8Array }) as TypedArray,
  );
  const result = arrays.reduce((lower, higher) => {
    combine(lower, higher, 0, higher.length);
    return higher;
  });
  return result.slice();
}
