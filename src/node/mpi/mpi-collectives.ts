import { ArrayOperand, like } from "../../cluster/communicator/collectives/array-operand.ts";
import { checkRoot, signatureOf } from "../../cluster/communicator/collectives/call-signature.ts";
import { type Collectives, ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import { operandOf } from "../../cluster/communicator/collectives/operand.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import { copyData, decodeData, encodeData } from "../../cluster/communicator/data.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import type { ElementReduction, Reduction } from "../../cluster/communicator/operators.ts";
import { dtypeOf, type TypedArray } from "../../core/dtype.ts";
import type { Handle } from "./abi.ts";
import { nativeReduction } from "./native-reduction.ts";
import type { OpenedCall, OpenedCalls } from "./opened-calls.ts";
import { maxOpeningData, type OpenedData, type Opening } from "./opening.ts";

/** MPI's lengths are ints. */
const maxInt = 2 ** 31 - 1;

/**
 * Collectives over MPI. Every call opens with an exchange of what the ranks call (opening.ts), which is all that calls
 * with short data need. MPI's own collectives broadcast longer data, gather them on all ranks, and reduce arrays by
 * the operators that MPI has; other calls are made of messages.
 */
export class MpiCollectives implements Collectives {
  readonly #calls: OpenedCalls;

  constructor(calls: OpenedCalls) {
    this.#calls = calls;
  }

  async barrier(): Promise<void> {
    const opened = await this.#calls.open({ operation: "barrier", signature: 0 });
    opened.skip();
  }

  async bcast<D extends Data>(
    exchange: Exchange,
    data: D | undefined,
    root: number,
    tuning: Tuning,
  ): Promise<D> {
    checkRoot(exchange, root, "bcast");
    const isRoot = exchange.rank === root;
    const own = isRoot ? encodeData(data as D, "bcast") : undefined;
    const signature = signatureOf({ root });
    const opened = await this.#calls.open({ operation: "bcast", signature, data: own });
    const { code, length, bytes: short } = opened.data[root];
    if (short || length > maxInt) {
      opened.skip();
      if (!short) return ownCollectives.bcast(exchange, data, root, tuning);
      return isRoot ? (data as D) : (decodeData({ code, bytes: short.slice() }) as D);
    }
    const { call, abi } = this.#calls.library;
    const bytes = own?.bytes ?? new Uint8Array(length);
    await opened.run(
      "MPI_Ibcast",
      (on, request) => call.Ibcast(bytes, length, abi.byte, root, on, request),
      bytes,
    );
    return isRoot ? (data as D) : (decodeData({ code, bytes }) as D);
  }

  allgather<D extends Data>(exchange: Exchange, data: D, tuning: Tuning): Promise<readonly D[]> {
    return this.#allgather("allgather", exchange, data, tuning);
  }

  split(exchange: Exchange, given: Float64Array, tuning: Tuning): Promise<readonly Float64Array[]> {
    return this.#allgather("split", exchange, given, tuning);
  }

  async reduce<D extends Data>(
    exchange: Exchange,
    data: D,
    operator: Reduction<D>,
    root: number,
    tuning: Tuning,
  ): Promise<D | undefined> {
    checkRoot(exchange, root, "reduce");
    const { call } = this.#calls.library;
    return this.#reduction(data, operator, {
      operation: "reduce",
      root,
      isReceiver: exchange.rank === root,
      own: () => ownCollectives.reduce(exchange, data, operator, root, tuning),
      run: (opened, from, into, type, op) =>
        opened.run(
          "MPI_Ireduce",
          (on, request) => call.Ireduce(from, into ?? null, from.length, type, op, root, on, request),
          [from, into],
        ),
    });
  }

  async allreduce<D extends Data>(
    exchange: Exchange,
    data: D,
    operator: Reduction<D>,
    tuning: Tuning,
  ): Promise<D> {
    const { call } = this.#calls.library;
    const result = await this.#reduction(data, operator, {
      operation: "allreduce",
      root: undefined,
      isReceiver: true,
      own: () => ownCollectives.allreduce(exchange, data, operator, tuning),
      run: (opened, from, into, type, op) =>
        opened.run(
          "MPI_Iallreduce",
          (on, request) => call.Iallreduce(from, into as TypedArray, from.length, type, op, on, request),
          [from, into],
        ),
    });
    return result as D;
  }

  async #reduction<D extends Data>(
    data: D,
    operator: Reduction<D>,
    { operation, root, isReceiver, own, run }: ReductionCall<D>,
  ): Promise<D | undefined> {
    let signature = 0;
    const operand = operandOf(
      { setSignature: (hash) => (signature = hash) },
      data,
      operator,
      operation,
      root,
    );
    const array = operand instanceof ArrayOperand ? operand : undefined;
    const given = array && encodeData(data, operation);
    const opened = await this.#calls.open({ operation, signature, data: given });
    if (!array) {
      opened.skip();
      return own();
    }
    const { value } = array;
    const isShort = value.byteLength <= maxOpeningData;
    const native = nativeReduction(operator, dtypeOf(value), this.#calls.library.abi);
    if (isShort || !native || value.length > maxInt) {
      opened.skip();
      if (!isShort) return own();
      return isReceiver ? (folded(opened.data, array.combine) as D) : undefined;
    }
    const into = isReceiver ? like(value, value.length) : undefined;
    await run(opened, value, into, native.type, native.operator);
    return into as D | undefined;
  }

  gather<D extends Data>(
    exchange: Exchange,
    data: D,
    root: number,
    tuning: Tuning,
  ): Promise<readonly D[] | undefined> {
    return this.#own("gather", () => ownCollectives.gather(exchange, data, root, tuning));
  }

  scatter<D extends Data>(
    exchange: Exchange,
    parts: readonly D[] | undefined,
    root: number,
    tuning: Tuning,
  ): Promise<D> {
    return this.#own("scatter", () => ownCollectives.scatter(exchange, parts, root, tuning));
  }

  alltoall<D extends Data>(exchange: Exchange, parts: readonly D[], tuning: Tuning): Promise<readonly D[]> {
    return this.#own("alltoall", () => ownCollectives.alltoall(exchange, parts, tuning));
  }

  reduceScatter<D extends TypedArray>(
    exchange: Exchange,
    data: D,
    counts: readonly number[],
    operator: Reduction<D>,
    tuning: Tuning,
  ): Promise<D> {
    return this.#own("reduceScatter", () =>
      ownCollectives.reduceScatter(exchange, data, counts, operator, tuning),
    );
  }

  scan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D> {
    return this.#own("scan", () => ownCollectives.scan(exchange, data, operator));
  }

  exscan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D | undefined> {
    return this.#own("exscan", () => ownCollectives.exscan(exchange, data, operator));
  }

  async free(exchange: Exchange): Promise<void> {
    await this.#own("free", () => ownCollectives.free(exchange));
    this.#calls.free();
  }

  dup(): MpiCollectives {
    return new MpiCollectives(this.#calls.dup());
  }

  /** A call that is made of messages. */
  async #own<R>(operation: Opening["operation"], run: () => Promise<R>): Promise<R> {
    const opened = this.#calls.open({ operation, signature: 0 }).then(({ skip }) => skip());
    const [result] = await Promise.all([run(), opened]);
    return result;
  }

  async #allgather<D extends Data>(
    operation: "allgather" | "split",
    exchange: Exchange,
    data: D,
    tuning: Tuning,
  ): Promise<readonly D[]> {
    const own = encodeData(data, operation);
    const opened = await this.#calls.open({ operation, signature: 0, data: own });
    const partOf = (rank: number, { code }: OpenedData, bytes: Uint8Array) =>
      rank === exchange.rank ? copyData(data) : (decodeData({ code, bytes: bytes.slice() }) as D);
    if (opened.data.every(({ bytes }) => bytes)) {
      opened.skip();
      return opened.data.map((part, rank) => partOf(rank, part, part.bytes as Uint8Array));
    }
    const total = opened.data.reduce((sum, { length }) => sum + length, 0);
    if (total > maxInt) {
      opened.skip();
      return ownCollectives.allgather(exchange, data, tuning);
    }
    const { call, abi } = this.#calls.library;
    const lengths = Int32Array.from(opened.data, ({ length }) => length);
    const starts = new Int32Array(lengths.length);
    for (let k = 1; k < starts.length; k++) starts[k] = starts[k - 1] + lengths[k - 1];
    const all = new Uint8Array(total);
    const { bytes } = own;
    await opened.run(
      "MPI_Iallgatherv",
      (on, request) =>
        call.Iallgatherv(bytes, bytes.length, abi.byte, all, lengths, starts, abi.byte, on, request),
      [bytes, all, lengths, starts],
    );
    return opened.data.map((part, rank) =>
      partOf(rank, part, all.subarray(starts[rank], starts[rank] + lengths[rank])),
    );
  }
}

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
