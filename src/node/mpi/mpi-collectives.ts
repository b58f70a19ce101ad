import { type Collectives, ownCollectives } from "../../cluster/communicator/collectives/collectives.ts";
import type { Tuning } from "../../cluster/communicator/collectives/tuning.ts";
import type { Data } from "../../cluster/communicator/communicator.ts";
import type { Exchange } from "../../cluster/communicator/exchange.ts";
import type { Reduction } from "../../cluster/communicator/operators.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { bcast, gather } from "./movement.ts";
import type { OpenedCalls } from "./opened-calls.ts";
import { alltoall, scatter } from "./parts.ts";
import { reduce, reduceOnAll, reduceScatter } from "./reduction.ts";

/**
 * Collectives over MPI. Every call opens with an exchange of what the ranks call (opening.ts), which is all that calls
 * with short data need. Longer data go by MPI's own collectives; reductions by operators that MPI has not, and data so
 * long that collecting them would cost more, by messages.
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

  gather<D extends Data>(exchange: Exchange, data: D, root: number, tuning: Tuning) {
    return gather(this.#calls, "gather", exchange, data, root, tuning);
  }

  scatter<D extends Data>(
    exchange: Exchange,
    parts: readonly D[] | undefined,
    root: number,
    tuning: Tuning,
  ): Promise<D> {
    return scatter(this.#calls, exchange, parts, root, tuning);
  }

  async allgather<D extends Data>(exchange: Exchange, data: D, tuning: Tuning): Promise<readonly D[]> {
    return (await gather(this.#calls, "allgather", exchange, data, undefined, tuning)) as readonly D[];
  }

  alltoall<D extends Data>(exchange: Exchange, parts: readonly D[], tuning: Tuning): Promise<readonly D[]> {
    return alltoall(this.#calls, exchange, parts, tuning);
  }

  reduce<D extends Data>(
    exchange: Exchange,
    data: D,
    operator: Reduction<D>,
    root: number,
    tuning: Tuning,
  ): Promise<D | undefined> {
    return reduce(this.#calls, exchange, data, operator, root, tuning);
  }

  async allreduce<D extends Data>(
    exchange: Exchange,
    data: D,
    operator: Reduction<D>,
    tuning: Tuning,
  ): Promise<D> {
    const own = () => ownCollectives.allreduce(exchange, data, operator, tuning);
    return (await reduceOnAll(this.#calls, "allreduce", data, operator, own)) as D;
  }

  reduceScatter<D extends TypedArray>(
    exchange: Exchange,
    data: D,
    counts: readonly number[],
    operator: Reduction<D>,
    tuning: Tuning,
  ): Promise<D> {
    return reduceScatter(this.#calls, exchange, data, counts, operator, tuning);
  }

  async scan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D> {
    const own = () => ownCollectives.scan(exchange, data, operator);
    return (await reduceOnAll(this.#calls, "scan", data, operator, own)) as D;
  }

  exscan<D extends Data>(exchange: Exchange, data: D, operator: Reduction<D>): Promise<D | undefined> {
    const own = () => ownCollectives.exscan(exchange, data, operator);
    return reduceOnAll(this.#calls, "exscan", data, operator, own);
  }

  async split(exchange: Exchange, given: Float64Array, tuning: Tuning): Promise<readonly Float64Array[]> {
    const all = await gather(this.#calls, "split", exchange, given, undefined, tuning);
    return all as readonly Float64Array[];
  }

  async free(exchange: Exchange): Promise<void> {
    const opened = this.#calls.open({ operation: "free", signature: 0 }).then(({ skip }) => skip());
    await Promise.all([ownCollectives.free(exchange), opened]);
    this.#calls.free();
  }

  end(): void {
    this.#calls.end();
  }

  dup(): MpiCollectives {
    return new MpiCollectives(this.#calls.dup());
  }
}
