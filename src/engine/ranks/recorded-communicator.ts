import type {
  Communicator,
  Data,
  Received,
  Request,
  Status,
} from "../../cluster/communicator/communicator.ts";
import type { Reduction } from "../../cluster/communicator/operators.ts";
import type { TypedArray } from "../../core/dtype.ts";
import type { Traffic } from "../../core/rank-trace.ts";
import { CallTraffic, receiving, sending, sizeOf } from "./call-traffic.ts";
import { noTraffic, type Stopwatch } from "./stopwatch.ts";

/**
 * A communicator whose calls a watch records, whatever carries the messages. What it counts is what callers pass and get: an array
 * that all others get counts once for each of them, a rank's own part not at all. A reduction counts as one message with
 * what the rank contributes, and one with its result. Headers, barriers, and what algorithms pass on for others do
 * not count. Calls of `isend` and `irecv` are counted when their messages are through, and take no time; communicators made of
 * this one are not recorded.
 */
export class RecordedCommunicator implements Communicator {
  readonly #inner: Communicator;
  readonly #watch: Stopwatch;
  readonly #traffic: CallTraffic;
  #collectives = 0;

  constructor(inner: Communicator, watch: Stopwatch) {
    this.#inner = inner;
    this.#watch = watch;
    this.#traffic = new CallTraffic(inner);
  }

  get rank() {
    return this.#inner.rank;
  }
  get size() {
    return this.#inner.size;
  }
  get epoch() {
    return this.#inner.epoch;
  }
  get tuning() {
    return this.#inner.tuning;
  }
  get failed() {
    return this.#inner.failed;
  }

  /** Runs work that puts together what is sent, or takes apart what has arrived. */
  packing<T>(work: () => T): T {
    return this.#watch.pack(work);
  }

  send(to: number, data: Data, tag?: number): Promise<void> {
    return this.#message(
      "send",
      "send",
      () => this.#inner.send(to, data, tag),
      () => sending(data),
    );
  }

  recv<D extends Data = Data>(from?: number, tag?: number): Promise<Received<D>> {
    return this.#message(
      "wait",
      "recv",
      () => this.#inner.recv<D>(from, tag),
      ({ data }) => receiving(data),
    );
  }

  recvInto(into: TypedArray, from?: number, tag?: number): Promise<Status & { readonly count: number }> {
    return this.#message(
      "wait",
      "recvInto",
      () => this.#inner.recvInto(into, from, tag),
      ({ count }) => ({ ...noTraffic, received: count * into.BYTES_PER_ELEMENT }),
    );
  }

  sendrecv<D extends Data = Data>(
    to: number,
    data: Data,
    from?: number,
    tags?: { readonly send?: number; readonly recv?: number },
  ): Promise<Received<D>> {
    return this.#message(
      "wait",
      "sendrecv",
      () => this.#inner.sendrecv<D>(to, data, from, tags),
      (got) => ({ ...sending(data), received: sizeOf(got.data) }),
    );
  }

  isend(to: number, data: Data, tag?: number): Request<void> {
    const request = this.#inner.isend(to, data, tag);
    this.#count(request, () => sending(data));
    return request;
  }

  irecv<D extends Data = Data>(from?: number, tag?: number): Request<Received<D>> {
    const request = this.#inner.irecv<D>(from, tag);
    this.#count(request, ({ data }) => receiving(data));
    return request;
  }

  iprobe(from?: number, tag?: number): Status | undefined {
    return this.#inner.iprobe(from, tag);
  }

  barrier(): Promise<void> {
    return this.#collective(
      "barrier",
      -1,
      () => this.#inner.barrier(),
      () => noTraffic,
    );
  }

  bcast<D extends Data>(data: D | undefined, root = 0): Promise<D> {
    return this.#collective(
      "bcast",
      root,
      () => this.#inner.bcast(data, root),
      (got) => (this.rank === root ? this.#traffic.toAll(got) : receiving(got)),
    );
  }

  gather<D extends Data>(data: D, root = 0): Promise<readonly D[] | undefined> {
    return this.#collective(
      "gather",
      root,
      () => this.#inner.gather(data, root),
      (got) => (got ? { ...noTraffic, received: this.#traffic.ofOthers(got) } : sending(data)),
    );
  }

  scatter<D extends Data>(parts: readonly D[] | undefined, root = 0): Promise<D> {
    return this.#collective(
      "scatter",
      root,
      () => this.#inner.scatter(parts, root),
      (got) => (this.rank === root && parts ? this.#traffic.toEach(parts) : receiving(got)),
    );
  }

  allgather<D extends Data>(data: D): Promise<readonly D[]> {
    return this.#collective(
      "allgather",
      -1,
      () => this.#inner.allgather(data),
      (got) => ({
        ...this.#traffic.toAll(data),
        received: this.#traffic.ofOthers(got),
      }),
    );
  }

  alltoall<D extends Data>(parts: readonly D[]): Promise<readonly D[]> {
    return this.#collective(
      "alltoall",
      -1,
      () => this.#inner.alltoall(parts),
      (got) => ({
        ...this.#traffic.toEach(parts),
        received: this.#traffic.ofOthers(got),
      }),
    );
  }

  reduce<D extends Data>(data: D, operator: Reduction<D>, root = 0): Promise<D | undefined> {
    return this.#collective(
      "reduce",
      root,
      () => this.#inner.reduce(data, operator, root),
      (got) =>
        this.rank === root ? this.#traffic.reducing(undefined, got) : this.#traffic.reducing(data, undefined),
    );
  }

  allreduce<D extends Data>(data: D, operator: Reduction<D>): Promise<D> {
    return this.#collective(
      "allreduce",
      -1,
      () => this.#inner.allreduce(data, operator),
      (got) => this.#traffic.reducing(data, got),
    );
  }

  reduceScatter<D extends TypedArray>(
    data: D,
    counts: readonly number[],
    operator: Reduction<D>,
  ): Promise<D> {
    return this.#collective(
      "reduceScatter",
      -1,
      () => this.#inner.reduceScatter(data, counts, operator),
      (got) => this.#traffic.reducing(data, got),
    );
  }

  scan<D extends Data>(data: D, operator: Reduction<D>): Promise<D> {
    return this.#collective(
      "scan",
      -1,
      () => this.#inner.scan(data, operator),
      (got) => this.#traffic.reducing(data, got),
    );
  }

  exscan<D extends Data>(data: D, operator: Reduction<D>): Promise<D | undefined> {
    return this.#collective(
      "exscan",
      -1,
      () => this.#inner.exscan(data, operator),
      (got) => this.#traffic.reducing(data, got),
    );
  }

  split(color: number | undefined, key?: number) {
    return this.#inner.split(color, key);
  }
  dup() {
    return this.#inner.dup();
  }
  tuned(clock: Parameters<Communicator["tuned"]>[0]) {
    return this.#inner.tuned(clock);
  }
  free() {
    return this.#inner.free();
  }
  revoke() {
    this.#inner.revoke();
  }
  shrink() {
    return this.#inner.shrink();
  }

  /** What is counted is measured after the call: what is wrong with data, the call says. */
  async #recorded<R>(
    doing: ReturnType<Stopwatch["begin"]>,
    call: () => Promise<R>,
    traffic: (result: R) => Traffic,
  ): Promise<R> {
    try {
      const result = await call();
      this.#watch.end(doing, traffic(result));
      return result;
    } catch (error) {
      this.#watch.end(doing);
      throw error;
    }
  }

  #collective<R>(name: string, root: number, call: () => Promise<R>, traffic: (result: R) => Traffic) {
    const number = this.#collectives++;
    return this.#recorded(this.#watch.begin("collective", name, { number, root }), call, traffic);
  }

  #message<R>(
    activity: "send" | "wait",
    name: string,
    call: () => Promise<R>,
    traffic: (result: R) => Traffic,
  ) {
    return this.#recorded(this.#watch.begin(activity, name), call, traffic);
  }

  #count<R>({ done }: Request<R>, traffic: (result: R) => Traffic): void {
    done.then(
      (result) => this.#watch.count(traffic(result)),
      () => {},
    );
  }
}
