import type { TypedArray } from "../../core/dtype.ts";
import type { Clock } from "../clock.ts";
import { CollectiveCall, mismatchedCall } from "./collective-call.ts";
import { type Collectives, ownCollectives } from "./collectives/collectives.ts";
import type { Tuning } from "./collectives/tuning.ts";
import {
  anySource,
  anyTag,
  type Communicator,
  type Data,
  type Received,
  type Request,
  type Status,
} from "./communicator.ts";
import { childContext, type Operation, worldContext } from "./envelope.ts";
import { CommunicatorError, freed } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Reduction } from "./operators.ts";
import { PointToPoint, requestOf } from "./point-to-point.ts";
import { measureTuning } from "./tune.ts";
import type { Context, World } from "./world.ts";

/**
 * The communicator of all ranks of an epoch, MPI_COMM_WORLD. `tuning` and `collectives` may replace the
 * world's tuning and the collectives made of messages, the same on all ranks.
 */
export function communicatorOf(
  world: World,
  tuning: Tuning = world.tuning,
  collectives: Collectives = ownCollectives,
): Communicator {
  const group = Array.from({ length: world.size }, (_, rank) => rank);
  return new GroupCommunicator(world, worldContext, group, tuning, collectives);
}

class GroupCommunicator implements Communicator {
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  readonly #world: World;
  readonly #context: Context;
  readonly #group: readonly number[];
  readonly #messages: PointToPoint;
  readonly #collectives: Collectives;
  readonly tuning: Tuning;
  readonly #worldTuning: Tuning;
  /** Communicators created from this one so far. */
  #children = 0;
  #isFreed = false;
  #shrunk: Promise<Communicator> | undefined;

  /** `group`: ranks of the world, by rank of the communicator. */
  constructor(
    world: World,
    context: number,
    group: readonly number[],
    tuning: Tuning,
    collectives: Collectives,
  ) {
    this.rank = group.indexOf(world.rank);
    this.size = group.length;
    this.epoch = world.epoch;
    this.#world = world;
    this.#context = world.register(context, group);
    this.#group = group;
    this.#collectives = collectives;
    this.#context.mailbox.onMismatch = (step, own) => {
      world.revoke(this.#context, mismatchedCall(step, own, this.rank));
    };
    const { pending } = this.#context;
    pending.onEnd = () => collectives.end();
    if (pending.hasEnded) collectives.end();
    this.#messages = new PointToPoint(world, this.#context, group);
    const { groups } = tuning;
    this.#worldTuning = tuning;
    this.tuning = groups ? { ...tuning, groups: group.map((rank) => groups[rank]) } : tuning;
  }

  get failed(): readonly number[] {
    return this.#world.failed.map((rank) => this.#group.indexOf(rank)).filter((rank) => rank >= 0);
  }

  send(to: number, data: Data, tag = 0): Promise<void> {
    return this.#messages.send(to, data, tag, "send");
  }

  recv<D extends Data = Data>(from = anySource, tag = anyTag): Promise<Received<D>> {
    return this.#messages.recv<D>(from, tag, "recv").done;
  }

  recvInto(into: TypedArray, from = anySource, tag = anyTag): Promise<Status & { readonly count: number }> {
    return this.#messages.recvInto(into, from, tag);
  }

  async sendrecv<D extends Data = Data>(
    to: number,
    data: Data,
    from = anySource,
    { send = 0, recv = anyTag }: { readonly send?: number; readonly recv?: number } = {},
  ): Promise<Received<D>> {
    const received = this.#messages.recv<D>(from, recv, "sendrecv");
    const [, result] = await Promise.all([this.#messages.send(to, data, send, "sendrecv"), received.done]);
    return result;
  }

  isend(to: number, data: Data, tag = 0): Request<void> {
    return requestOf(this.#messages.send(to, data, tag, "isend"), () => false);
  }

  irecv<D extends Data = Data>(from = anySource, tag = anyTag): Request<Received<D>> {
    return this.#messages.recv<D>(from, tag, "irecv");
  }

  iprobe(from = anySource, tag = anyTag): Status | undefined {
    return this.#messages.probe(from, tag);
  }

  barrier(): Promise<void> {
    return this.#call("barrier", (exchange) => this.#collectives.barrier(exchange, this.tuning));
  }

  bcast<D extends Data>(data: D | undefined, root = 0): Promise<D> {
    return this.#call("bcast", (exchange) => this.#collectives.bcast(exchange, data, root, this.tuning));
  }

  gather<D extends Data>(data: D, root = 0): Promise<readonly D[] | undefined> {
    return this.#call("gather", (exchange) => this.#collectives.gather(exchange, data, root, this.tuning));
  }

  scatter<D extends Data>(parts: readonly D[] | undefined, root = 0): Promise<D> {
    return this.#call("scatter", (exchange) => this.#collectives.scatter(exchange, parts, root, this.tuning));
  }

  allgather<D extends Data>(data: D): Promise<readonly D[]> {
    return this.#call("allgather", (exchange) => this.#collectives.allgather(exchange, data, this.tuning));
  }

  alltoall<D extends Data>(parts: readonly D[]): Promise<readonly D[]> {
    return this.#call("alltoall", (exchange) => this.#collectives.alltoall(exchange, parts, this.tuning));
  }

  reduce<D extends Data>(data: D, operator: Reduction<D>, root = 0): Promise<D | undefined> {
    return this.#call("reduce", (exchange) =>
      this.#collectives.reduce(exchange, data, operator, root, this.tuning),
    );
  }

  allreduce<D extends Data>(data: D, operator: Reduction<D>): Promise<D> {
    return this.#call("allreduce", (exchange) =>
      this.#collectives.allreduce(exchange, data, operator, this.tuning),
    );
  }

  reduceScatter<D extends TypedArray>(
    data: D,
    counts: readonly number[],
    operator: Reduction<D>,
  ): Promise<D> {
    return this.#call("reduceScatter", (exchange) =>
      this.#collectives.reduceScatter(exchange, data, counts, operator, this.tuning),
    );
  }

  scan<D extends Data>(data: D, operator: Reduction<D>): Promise<D> {
    return this.#call("scan", (exchange) => this.#collectives.scan(exchange, data, operator));
  }

  exscan<D extends Data>(data: D, operator: Reduction<D>): Promise<D | undefined> {
    return this.#call("exscan", (exchange) => this.#collectives.exscan(exchange, data, operator));
  }

  async split(color: number | undefined, key = this.rank): Promise<Communicator | undefined> {
    if (color !== undefined && (!Number.isSafeInteger(color) || color < 0)) {
      this.revoke();
      throw new CommunicatorError({
        tag: "BadArgument",
        mpi: "MPI_ERR_ARG",
        problem: `${color} is not a colour: colours are whole numbers from 0, or undefined.`,
        operation: "split",
      });
    }
    const context = this.#childContext();
    const given = Float64Array.of(color ?? -1, key);
    const all = await this.#call("split", (exchange) =>
      this.#collectives.split(exchange, given, this.tuning),
    );
    if (color === undefined) return undefined;
    const members = all
      .map(([color, key], rank) => ({ color, key, rank }))
      .filter((one) => one.color === color);
    members.sort((a, b) => a.key - b.key || a.rank - b.rank);
    return new GroupCommunicator(
      this.#world,
      context,
      members.map(({ rank }) => this.#group[rank]),
      this.#worldTuning,
      ownCollectives,
    );
  }

  async free(): Promise<void> {
    const { pending } = this.#context;
    pending.check("free");
    if (this.#context.id === worldContext) throw unfreeable();
    const areDone = pending.close();
    await this.#begin("free", (exchange) => areDone.then(() => this.#collectives.free(exchange)));
    this.#world.release(this.#context);
    this.#isFreed = true;
  }

  async dup(): Promise<GroupCommunicator> {
    this.#context.pending.check("dup");
    return new GroupCommunicator(
      this.#world,
      this.#childContext(),
      this.#group,
      this.#worldTuning,
      this.#collectives.dup(),
    );
  }

  async tuned(clock: Pick<Clock, "now">): Promise<Communicator> {
    const made = await this.dup();
    const tuning = await measureTuning(made, this.tuning, () => clock.now());
    const { groups } = this.#worldTuning;
    const { id } = made.#context;
    return new GroupCommunicator(this.#world, id, this.#group, { ...tuning, groups }, made.#collectives);
  }

  revoke(): void {
    this.#world.revoke(this.#context);
  }

  shrink(): Promise<Communicator> {
    if (this.#isFreed) return Promise.reject(freed("shrink"));
    this.#shrunk ??= this.#world.next().then(({ world, survivors }) => {
      const group = this.#group.map((rank) => survivors.indexOf(rank)).filter((rank) => rank >= 0);
      return new GroupCommunicator(world, this.#context.id, group, world.tuning, ownCollectives);
    });
    return this.#shrunk;
  }

  #childContext(): number {
    return childContext(this.#context.id, this.epoch, ++this.#children);
  }

  async #call<R>(operation: Operation, run: (exchange: Exchange) => Promise<R>): Promise<R> {
    this.#context.pending.check(operation);
    return this.#begin(operation, run);
  }

  /** If a collective fails on one rank, revokes the communicator so that the others do not wait. */
  #begin<R>(operation: Operation, run: (exchange: Exchange) => Promise<R>): Promise<R> {
    const { pending, mailbox } = this.#context;
    const sequence = mailbox.begin(operation);
    const step = new CollectiveCall(this.#world, this.#context, this.#group, operation, sequence);
    const result = pending.guard(operation, run(step));
    result.then(
      () => mailbox.finish(sequence),
      () => this.revoke(),
    );
    return result;
  }
}

const unfreeable = () =>
  new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_COMM",
    problem: "The communicator of all ranks cannot be freed: it ends with its epoch.",
    remedy: "Free communicators made by dup() and split().",
    operation: "free",
  });
