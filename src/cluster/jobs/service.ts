import { type CrinkleError, cancelled } from "../../core/errors.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { Clock } from "../clock.ts";
import {
  anySource,
  type Communicator,
  type Received,
  type Request,
  type Value,
} from "../communicator/communicator.ts";
import { badMessage } from "../wire/frame.ts";
import { firstProblem, isEpochOver, outcomeOf } from "./outcomes.ts";

/** What a rank's part of a job is given. */
export interface JobCall<Engine> {
  /** The job's own. It is revoked where a rank's part fails or the job is cancelled. */
  readonly communicator: Communicator;
  /** What this rank computes with. */
  readonly engine: Engine;
  /**
   * Aborted where the job is cancelled or has failed on another rank. Rank 0 hears of every rank's progress, and by
   * `progressOf`, which is there where somebody watches, of that of ranks that are not the job's own.
   */
  readonly context: JobWatcher;
}

/** Something that all ranks do together. Every rank checks its parameters; code never travels. */
export interface Job<P extends Value = Value, R = unknown, Engine = unknown> {
  readonly name: string;
  /** Throws BadMessage if the value is not valid. */
  parse(parameters: Value): P;
  /** Runs on every rank; rank 0 returns the result. Where it throws on one rank, the job has failed. */
  run(call: JobCall<Engine>, parameters: P): Promise<R>;
}

/** A job that a rank loads when it is first asked for it. */
export interface JobOnDemand<Engine> {
  readonly name: string;
  load(): Promise<Job<Value, unknown, Engine>>;
}

/** What a rank can run. */
export type KnownJob<Engine> = Job<Value, unknown, Engine> | JobOnDemand<Engine>;

/** Who starts a job learns how far it is, and each rank's part; of its warnings, those of rank 0. */
export interface JobWatcher extends JobContext {
  /** How far a rank is, as `progress` says it; without it, the others send nothing. */
  progressOf?(rank: number, fraction: number, step: string): void;
}

/** The tag of messages to rank 0 that say how far a rank is. */
const progressTag = 2 ** 30 - 2;

/** Minimum interval between a rank's messages of its progress. */
const progressIntervalMs = 100;

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
  readonly #jobs: ReadonlyMap<string, KnownJob<Engine>>;
  readonly #engine: Engine;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    world: Communicator,
    jobs: readonly KnownJob<Engine>[],
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
  run<P extends Value, R>(job: Job<P, R, Engine>, parameters: P, context: JobWatcher = noJob): Promise<R> {
    const request = { job: job.name, parameters, isWatched: context.progressOf !== undefined };
    const result = this.#last.then(async () => {
      await this.#tuned;
      if (context.signal.aborted) throw cancelled(`The job “${job.name}”`);
      await this.#world.bcast<Value>(request, 0);
      return (await this.#do(request, context)) as R;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #do(request: Value, { signal, progress: show, progressOf, warn }: JobWatcher): Promise<unknown> {
    const { job: name, parameters, isWatched } = request as Readonly<Record<string, Value | undefined>>;
    const known = typeof name === "string" ? this.#jobs.get(name) : undefined;
    const communicator = await (await this.#tuned).dup();
    const stop = new AbortController();
    const revoked = communicator.irecv(0, endTag);
    revoked.done.catch(() => stop.abort());
    const cancel = () => communicator.revoke();
    signal.addEventListener("abort", cancel, { once: true });
    const watched = isWatched === true ? watchedFrom(communicator, progressOf) : undefined;
    const progress: JobContext["progress"] = (fraction, step) => {
      show(fraction, step);
      watched?.(communicator.rank, fraction, step);
    };
    const heard = progressOf && hearProgress(communicator, progressOf);
    let result: unknown;
    let error: unknown;
    try {
      if (signal.aborted) throw cancelled(`The job “${known?.name}”`);
      if (!known) throw badMessage(`unknown job ${JSON.stringify(name)}`);
      const context = { signal: stop.signal, progress, progressOf: watched, warn };
      const job = "load" in known ? await known.load() : known;
      const call = { communicator, engine: this.#engine, context };
      result = await job.run(call, job.parse(parameters ?? null));
    } catch (thrown) {
      error = thrown;
      communicator.revoke();
    } finally {
      signal.removeEventListener("abort", cancel);
      heard?.();
    }
    const outcomes = await this.#world.gather<Value>(outcomeOf(error));
    const problem: CrinkleError | undefined = outcomes && firstProblem(outcomes, error);
    const hasFailed = await this.#world.bcast<Value>(outcomes && problem !== undefined, 0);
    if (!hasFailed) {
      revoked.cancel();
      await communicator.free();
    }
    if (problem && signal.aborted) throw cancelled(`The job “${known?.name}”`);
    if (problem) throw problem;
    return result;
  }
}

/** How a part of a watched job says how far a rank is: to who watches, on rank 0, and by messages to it elsewhere. */
function watchedFrom(
  communicator: Communicator,
  progressOf: JobWatcher["progressOf"],
): JobWatcher["progressOf"] {
  if (communicator.rank === 0) return progressOf;
  const last = new Map<number, number>();
  return (rank, fraction, step) => {
    const now = performance.now();
    if (now - (last.get(rank) ?? Number.NEGATIVE_INFINITY) < progressIntervalMs && fraction < 1) return;
    last.set(rank, now);
    // Where it fails, the job ends, and its calls say why.
    communicator.isend(0, { rank, fraction, step }, progressTag).done.catch(() => {});
  };
}

/** Hears how far the others are until the returned function is called, or the job ends. */
function hearProgress(
  communicator: Communicator,
  progressOf: Required<JobWatcher>["progressOf"],
): () => void {
  let isOver = false;
  let next: Request<Received<Value>>;
  const hear = () => {
    next = communicator.irecv<Value>(anySource, progressTag);
    next.done.then(
      ({ data }) => {
        if (isOver) return;
        const { rank, fraction, step } = (data ?? {}) as Readonly<Record<string, Value | undefined>>;
        if (isRank(rank) && typeof fraction === "number" && typeof step === "string")
          progressOf(rank, fraction, step);
        hear();
      },
      () => {},
    );
  };
  hear();
  return () => {
    isOver = true;
    next.cancel();
  };
}

const isRank = (value: Value | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
