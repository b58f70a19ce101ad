import { CrinkleError } from "../core/errors.ts";
import { noJob } from "../core/job.ts";
import type { Communicator, Value } from "./communicator/communicator.ts";
import { communicatorOf } from "./communicator/group-communicator.ts";
import { measure } from "./jobs/measure.ts";
import { isEpochOver } from "./jobs/outcomes.ts";
import { type Job, JobService, type JobWatcher, type KnownJob } from "./jobs/service.ts";
import type { Epoch } from "./membership/epoch.ts";
import { Room } from "./room/room.ts";
import type { RoomOptions } from "./room/room-options.ts";
import type { Addresses } from "./transport/transport.ts";

export interface SessionOptions<Engine> extends RoomOptions {
  /** What this rank computes with: its jobs are given it. */
  readonly engine: Engine;
  /** Jobs that this rank can run beside `measure`; every rank of the room needs those that the host starts. */
  readonly jobs?: readonly KnownJob<Engine>[];
}

/** The jobs of the current epoch: rank 0 starts them, the other ranks wait for them and run them. */
class EpochJobs<Engine> {
  epoch: Epoch | undefined;
  communicator: Communicator | undefined;
  service: JobService<Engine> | undefined;
  readonly #options: Pick<SessionOptions<Engine>, "jobs" | "engine" | "clock">;
  #waiting: { resolve(epoch: Epoch): void; reject(error: CrinkleError): void }[] = [];

  constructor(options: Pick<SessionOptions<Engine>, "jobs" | "engine" | "clock">) {
    this.#options = options;
  }

  begin(epoch: Epoch): void {
    const { jobs = [], engine, clock } = this.#options;
    const communicator = communicatorOf(epoch.world);
    const service = new JobService(communicator, [measure, ...jobs], engine, clock);
    this.epoch = epoch;
    this.communicator = communicator;
    this.service = service;
    for (const { resolve } of this.#waiting.splice(0)) resolve(epoch);
    if (communicator.rank === 0) return;
    // A rank that cannot run jobs revokes the communicator, so that the others do not wait for it.
    service.serve().catch(() => communicator.revoke());
  }

  /** This member has left the room. */
  end(error: CrinkleError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** The epoch after one whose communicator has failed. */
  async after(former: Epoch): Promise<Epoch> {
    if (this.epoch && this.epoch !== former) return this.epoch;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // Agrees with the others on the next epoch, if nobody has begun to.
      this.communicator?.shrink().catch(reject);
    });
  }
}

/** What happens to a job while it runs. */
export interface JobEvents extends JobWatcher {
  /** Members were lost, whose ids these are; the others begin the job again. */
  restarted?(lost: readonly string[]): void;
}

/** A room member that takes part in the room's jobs: a tab or a Node process as a rank. */
export class ClusterSession<Engine> {
  readonly room: Room;
  readonly #jobs: EpochJobs<Engine>;

  private constructor(room: Room, jobs: EpochJobs<Engine>) {
    this.room = room;
    this.#jobs = jobs;
  }

  /** Joins the room whose members are at `hosts`, or opens a room if none are given. Errors: see Room. */
  static async start<Engine>(
    options: SessionOptions<Engine>,
    hosts?: readonly Addresses[],
    signal?: AbortSignal,
  ): Promise<ClusterSession<Engine>> {
    const jobs = new EpochJobs(options);
    const onEpoch = (epoch: Epoch) => {
      jobs.begin(epoch);
      options.onEpoch?.(epoch);
    };
    const onLeft = (error: CrinkleError) => {
      jobs.end(error);
      options.onLeft?.(error);
    };
    const given = { ...options, onEpoch, onLeft };
    const room = hosts ? await Room.join(given, hosts, signal) : Room.open(given);
    return new ClusterSession(room, jobs);
  }

  get communicator(): Communicator | undefined {
    return this.#jobs.communicator;
  }

  /** The ids of the room's members, in the order of their ranks. */
  get members(): readonly string[] {
    return this.#jobs.epoch?.names ?? [];
  }

  /**
   * Runs a job on all ranks; no rank can join until it ends. Where ranks are lost, those that are left run it again.
   * Rejects with BadArgument if this rank is not the host, and with what the job's parts throw.
   */
  async run<P extends Value, R>(
    job: Job<P, R, Engine>,
    parameters: P,
    events: JobEvents = noJob,
  ): Promise<R> {
    const release = this.room.hold();
    try {
      for (;;) {
        const { service, epoch } = this.#jobs;
        if (!this.room.isHost || !service || !epoch) throw notHost();
        try {
          return await service.run(job, parameters, events);
        } catch (error) {
          if (!isEpochOver(error)) throw error;
          const { names } = await this.#jobs.after(epoch);
          events.restarted?.(epoch.names.filter((name) => !names.includes(name)));
        }
      }
    } finally {
      release();
    }
  }
}

const notHost = () =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "Only the room's host can start jobs.",
    remedy: "Ask the person who opened the room.",
  });
