import { type CrinkleError, cancelled } from "../../core/errors.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { Clock } from "../clock.ts";
import type { Communicator, Value } from "../communicator/communicator.ts";
import { badMessage } from "../wire/frame.ts";
import { firstProblem, isEpochOver, outcomeOf } from "./outcomes.ts";

/** What a rank's part of a job is given. */
export interface JobCall<Engine> {
  /** The job's own. It is revoked where a rank's part fails or the job is cancelled. */
  readonly communicator: Communicator;
  /** What this rank computes with. */
  readonly engine: Engine;
  /** Aborted where the job is cancelled or has failed on another rank. Progress is shown on rank 0. */
  readonly context: JobContext;
}

/** Something that all ranks do together. Every rank checks its parameters; code never travels. */
export interface Job<P extends Value = Value, R = unknown, Engine = unknown> {
  readonly name: string;
  /** Throws BadMessage if the value is not valid. */
  parse(parameters: Value): P;
  /** Runs on every rank; rank 0 returns the result. Where it throws on one rank, the job has failed. */
  run(call: JobCall<Engine>, parameters: P): Promise<R>;
}

/** Tag of a message that no rank sends: waiting for it ends when the communicator is revoked. */
const endTag = 2 ** 30 - 1;

/**
 * The jobs of an epoch: the ranks first measure message times; then rank 0 starts jobs, one after the
 * other, and the others run them until the epoch ends. Each job runs on a communicator of its own, and ends on all
 * ranks before the next begins: where a rank's part fails, the others' are ended, too.
 */
export class JobService<Engine> {
  readonly #world: Communicator;
  /** The world with algorithms chosen by measured message times. */
  readonly #tuned: Promise<Communicator>;
  readonly #jobs: ReadonlyMap<string, Job<Value, unknown, Engine>>;
  readonly #engine: Engine;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    world: Communicator,
    jobs: readonly Job<Value, unknown, Engine>[],
    engine: Engine,
    clock: Pick<Clock, "now">,
  ) {
    this.#world = world;
    this.#tuned = world.tuned(clock);
    this.#tuned.catch(() => {});
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#engine = engine;
  }

  /** On ranks other than 0: runs the jobs that rank 0 starts. Resolves when the epoch ends. */
  async serve(): Promise<void> {
    try {
      await this.#tuned;
      for (;;) await this.#do(await this.#world.bcast<Value>(undefined, 0), noJob);
    } catch (error) {
      if (!isEpochOver(error)) throw error;
    }
  }

  /**
   * On rank 0: runs a job on all ranks. Rejects with the error of the first rank whose part failed, with Cancelled, or with
   * RankFailed or Revoked if the epoch ends first.
   */
  run<P extends Value, R>(job: Job<P, R, Engine>, parameters: P, context: JobContext = noJob): Promise<R> {
    const request = { job: job.name, parameters };
    const result = this.#last.then(async () => {
      await this.#tuned;
      if (context.signal.aborted) throw cancelled(`The job “${job.name}”`);
      await this.#world.bcast<Value>(request, 0);
      return (await this.#do(request, context)) as R;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #do(request: Value, { signal, progress }: JobContext): Promise<unknown> {
    const { job: name, parameters } = request as { readonly job?: Value; readonly parameters?: Value };
    const job = typeof name === "string" ? this.#jobs.get(name) : undefined;
    const communicator = await (await this.#tuned).dup();
    const stop = new AbortController();
    const revoked = communicator.irecv(0, endTag);
    revoked.done.catch(() => stop.abort());
    const cancel = () => communicator.revoke();
    signal.addEventListener("abort", cancel, { once: true });
    let result: unknown;
    let error: unknown;
    try {
      if (signal.aborted) throw cancelled(`The job “${job?.name}”`);
      if (!job) throw badMessage(`unknown job ${JSON.stringify(name)}`);
      const call = { communicator, engine: this.#engine, context: { signal: stop.signal, progress } };
      result = await job.run(call, job.parse(parameters ?? null));
    } catch (thrown) {
      error = thrown;
      communicator.revoke();
    } finally {
      signal.removeEventListener("abort", cancel);
    }
    const outcomes = await this.#world.gather<Value>(outcomeOf(error));
    const problem: CrinkleError | undefined = outcomes && firstProblem(outcomes, error);
    const hasFailed = await this.#world.bcast<Value>(outcomes && problem !== undefined, 0);
    if (!hasFailed) {
      revoked.cancel();
      await communicator.free();
    }
    if (problem && signal.aborted) throw cancelled(`The job “${job?.name}”`);
    if (problem) throw problem;
    return result;
  }
}
