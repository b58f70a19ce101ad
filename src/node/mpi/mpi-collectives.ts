import { checkRoot } from "../../cluster/communicator/collectives/call-signature.ts";
import { type Collectives, ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import type { Reduction } from "../../cluster/communicator/operators.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { allgather, bcast } from "./movement.ts";
import type { OpenedCalls } from "./opened-calls.ts";
import type { Opening } from "./opening.ts";
import { reduction } from "./reduction.ts";

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

  bcast<D extends Data>(exchange: Exchange, data: D | undefined, root: number, tuning: Tuning): Promise<D> {
    return bcast(this.#calls, exchange, data, root, tuning);
  }

  allgather<D extends Data>(exchange: Exchange, data: D, tuning: Tuning): Promise<readonly D[]> {
    return allgather(this.#calls, "allgather", exchange, data, tuning);
  }

  split(exchange: Exchange, given: Float64Array, tuning: Tuning): Promise<readonly Float64Array[]> {
    return allgather(this.#calls, "split", exchange, given, tuning);
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
    return reduction(this.#calls, data, operator, {
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
    const result = await reduction(this.#calls, data, operator, {
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
}
