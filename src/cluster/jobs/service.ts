import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Communicator, Value } from "../communicator/communicator.ts";
import { badMessage } from "../wire/frame.ts";

/** Something that all ranks do together. Its parameters are checked by every rank; code never travels. */
export interface Job<P extends Value = Value, R = unknown> {
  readonly name: string;
  /** Throws BadMessage where the value is none. */
  parse(parameters: Value): P;
  /** On every rank; what it resolves to counts on rank 0. `tell` hears there how much is done, from 0 to 1. */
  run(communicator: Communicator, parameters: P, tell?: (fraction: number) => void): Promise<R>;
}

/**
 * Jobs of an epoch: first the ranks measure what messages between them take; then rank 0 orders them, one after the other, the others do as told until the epoch ends. Each runs on a
 * communicator of its own.
 */
export class JobService {
  readonly #world: Communicator;
  /** The same, once it is known what messages take. */
  readonly #tuned: Promise<Communicator>;
  readonly #jobs: ReadonlyMap<string, Job>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: Communicator, jobs: readonly Job[], clock: Pick<Clock, "now">) {
    this.#world = world;
    this.#tuned = world.tuned(clock);
    this.#tuned.catch(() => {});
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
  }

  /** Other ranks than 0: does what is ordered. Resolves when the epoch ends. */
  async serve(): Promise<void> {
    try {
      await this.#tuned;
      for (;;) await this.#do(await this.#world.bcast<Value>(undefined, 0));
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  }

  /** Rank 0: has a job done. Rejects with RankFailed or Revoked where the epoch ends first. */
  run<P extends Value, R>(job: Job<P, R>, parameters: P, tell?: (fraction: number) => void): Promise<R> {
    const order = { job: job.name, parameters };
    const result = this.#last.then(async () => {
      await this.#tuned;
      await this.#world.bcast<Value>(order, 0);
      return (await this.#do(order, tell)) as R;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #do(order: Value, tell?: (fraction: number) => void): Promise<unknown> {
    const { job: name, parameters } = order as { readonly job?: Value; readonly parameters?: Value };
    const job = typeof name === "string" ? this.#jobs.get(name) : undefined;
    if (!job) throw badMessage(`orders the job ${JSON.stringify(name)}, which there is not`);
    const communicator = await (await this.#tuned).dup();
    const result = await job.run(communicator, job.parse(parameters ?? null), tell);
    await communicator.free();
    return result;
  }
}

const isOver = (error: unknown) =>
  error instanceof CrinkleError && (error.tag === "RankFailed" || error.tag === "Revoked");
