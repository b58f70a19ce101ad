import type { TypedArray } from "../../core/dtype.ts";
import { anySource, anyTag, type Data, type Received, type Request, type Status } from "./communicator.ts";
import { bytesOf, decodeData, encodeData, isTypedArray } from "./data.ts";
import type { Operation } from "./envelope.ts";
import { CommunicatorError } from "./errors.ts";
import type { PendingReceive } from "./mailbox.ts";
import type { Context, World } from "./world.ts";

/** Tags must be less than this. */
const tagLimit = 2 ** 30;

/** The point-to-point half of a communicator. */
export class PointToPoint {
  readonly rank: number;
  readonly #world: World;
  readonly #context: Context;
  readonly #group: readonly number[];

  constructor(world: World, context: Context, group: readonly number[]) {
    this.rank = group.indexOf(world.rank);
    this.#world = world;
    this.#context = context;
    this.#group = group;
  }

  send(to: number, data: Data, tag: number, operation: string): Promise<void> {
    return this.#guard(operation, async () => {
      this.#context.pending.check(operation);
      this.#checkRank(to, operation, "send to");
      this.#checkTag(tag, operation);
      const { code, bytes } = encodeData(data, operation);
      const envelope = {
        epoch: this.#world.epoch,
        context: this.#context.id,
        operation: "send" as Operation,
        sequence: 0,
        tag,
        source: this.rank,
        dtype: code,
        signature: 0,
        bytes: bytes.length,
      };
      await this.#world.send(this.#group[to], envelope, bytes);
    });
  }

  recv<D extends Data>(
    from: number,
    tag: number,
    operation: string,
    into?: Uint8Array,
  ): Request<Received<D>> {
    let awaited: PendingReceive | undefined;
    const received = async () => {
      awaited = this.#await(from, tag, operation);
      const { envelope, take } = await awaited.arrival;
      const data = decodeData({ code: envelope.dtype, bytes: await take(into) }) as D;
      return { source: envelope.source, tag: envelope.tag, data };
    };
    let giveUp: (error: CommunicatorError) => void = () => {};
    const done = this.#guard(
      operation,
      new Promise<Received<D>>((resolve, reject) => {
        giveUp = reject;
        received().then(resolve, reject);
      }),
    );
    const cancel = () => {
      const isTaken = awaited?.cancel() ?? false;
      if (isTaken) giveUp(cancelledReceive(operation));
      return isTaken;
    };
    return requestOf(done, cancel);
  }

  async recvInto(into: TypedArray, from: number, tag: number): Promise<Status & { readonly count: number }> {
    const { source, tag: its, data } = await this.recv(from, tag, "recvInto", bytesOf(into)).done;
    if (!isTypedArray(data) || data.constructor !== into.constructor || data.length > into.length) {
      const what = isTypedArray(data) ? `${data.length} elements of ${data.constructor.name}` : "a value";
      throw new CommunicatorError({
        tag: "Truncated",
        mpi: "MPI_ERR_TRUNCATE",
        problem: `Rank ${source} sent ${what}, where ${into.length} of ${into.constructor.name} fit.`,
        remedy: "Receive into an array of the same type that is long enough.",
        operation: "recvInto",
        epoch: this.#world.epoch,
        ranks: [source],
      });
    }
    if (data.buffer !== into.buffer) bytesOf(into).set(bytesOf(data));
    return { source, tag: its, count: data.length };
  }

  probe(from: number, tag: number): Status | undefined {
    this.#context.pending.check("iprobe");
    this.#checkSelection(from, tag, "iprobe");
    return this.#context.mailbox.probe(from, tag);
  }

  #await(from: number, tag: number, operation: string): PendingReceive {
    this.#context.pending.check(operation);
    this.#checkSelection(from, tag, operation);
    return this.#context.mailbox.receive(from, tag);
  }

  #checkSelection(from: number, tag: number, operation: string): void {
    if (from !== anySource) this.#checkRank(from, operation, "receive from");
    if (tag !== anyTag) this.#checkTag(tag, operation);
  }

  #checkRank(rank: number, operation: string, what: string): void {
    if (Number.isInteger(rank) && rank >= 0 && rank < this.#group.length) return;
    throw new CommunicatorError({
      tag: "BadArgument",
      mpi: "MPI_ERR_RANK",
      problem: `Cannot ${what} rank ${rank}: ranks are 0 to ${this.#group.length - 1}.`,
      operation,
    });
  }

  #checkTag(tag: number, operation: string): void {
    if (Number.isInteger(tag) && tag >= 0 && tag < tagLimit) return;
    throw new CommunicatorError({
      tag: "BadArgument",
      mpi: "MPI_ERR_TAG",
      problem: `${tag} is not a tag: tags are whole numbers from 0 to ${tagLimit - 1}.`,
      operation,
    });
  }

  #guard<T>(operation: string, work: Promise<T> | (() => Promise<T>)): Promise<T> {
    return this.#context.pending.guard(operation, typeof work === "function" ? work() : work);
  }
}

/** A promise with a state to query. Querying alone does not report a failure as unhandled. */
export function requestOf<R>(done: Promise<R>, cancel: () => boolean): Request<R> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  done.then(end, end);
  return {
    done,
    get isDone() {
      return isDone;
    },
    cancel,
  };
}

const cancelledReceive = (operation: string) =>
  new CommunicatorError({
    tag: "Cancelled",
    mpi: "MPI_ERR_REQUEST",
    problem: "The receive was cancelled.",
    operation,
  });
