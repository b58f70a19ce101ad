import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Communicator, Value } from "../communicator/communicator.ts";
import { badMessage } from "../wire/frame.ts";

/** Something that all ranks do together. Every rank checks its parameters; code never travels. */
export interface Job<P extends Value = Value, R = unknown> {
  readonly name: string;
  /** Throws BadMessage if the value is not valid. */
  parse(parameters: Value): P;
  /** Runs on every rank; rank 0 returns the result and reports its progress, from 0 to 1. */
  run(communicator: Communicator, parameters: P, onProgress?: (fraction: number) => void): Promise<R>;
}

/**
 * The jobs of an epoch: the ranks first measure message times; then rank 0 starts jobs, one after the
 * other, and the others run them until the epoch ends. Each job runs on a communicator of its own.
 */
export class JobService {
  readonly #world: Communicator;
  /** The world with algorithms chosen by measured message times. */
  readonly #tuned: Promise<Communicator>;
  readonly #jobs: ReadonlyMap<string, Job>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: Communicator, jobs: readonly Job[], clock: Pick<Clock, "now">) {
    this.#world = world;
    this.#tuned = world.tuned(clock);
    this.#tuned.catch(() => {});
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
  }

  /** On ranks other than 0: runs the jobs that rank 0 starts. Resolves when the epoch ends. */
  async serve(): Promise<void> {
    try {
      await this.#tuned;
      for (;;) await this.#do(await this.#world.bcast<Value>(undefined, 0));
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  }

  /** On rank 0: runs a job on all ranks. Rejects with RankFailed or Revoked if the epoch ends first. */
  run<P extends Value, R>(
    job: Job<P, R>,
    parameters: P,
    onProgress?: (fraction: number) => void,
  ): Promise<R> {
    const request = { job: job.name, parameters };
    const result = this.#last.then(async () => {
      await this.#tuned;
      await this.#world.bcast<Value>(request, 0);
      return (await this.#do(request, onProgress)) as R;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #do(request: Value, onProgress?: (fraction: number) => void): Promise<unknown> {
    const { job: name, parameters } = request as { readonly job?: Value; readonly parameters?: Value };
    const job = typeof name === "string" ? this.#jobs.get(name) : undefined;
    if (!job) throw badMessage(`unknown job ${JSON.stringify(name)}`);
    const communicator = await (await this.#tuned).dup();
    const result = await job.run(communicator, job.parse(parameters ?? null), onProgress);
    await communicator.free();
    return result;
  }
}

const isOver = (error: unknown) =>
  error instanceof CrinkleError && (error.tag === "RankFailed" || error.tag === "Revoked");
