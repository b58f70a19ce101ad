import { CrinkleError } from "../core/errors.ts";
import type { Clock } from "./clock.ts";
import type { Communicator, Value } from "./communicator/communicator.ts";
import { communicatorOf } from "./communicator/group-communicator.ts";
import { measure } from "./jobs/measure.ts";
import { type Job, JobService } from "./jobs/service.ts";
import type { Epoch } from "./membership/epoch.ts";
import { Room } from "./room/room.ts";
import type { RoomOptions } from "./room/room-options.ts";
import type { Addresses } from "./transport/transport.ts";

export interface SessionOptions extends RoomOptions {
  /** Jobs that this rank can run beside `measure`; every rank of the room needs those that the host starts. */
  readonly jobs?: readonly Job[];
}

/** The jobs of the current epoch: rank 0 starts them, the other ranks wait for them and run them. */
class EpochJobs {
  communicator: Communicator | undefined;
  service: JobService | undefined;
  readonly #jobs: readonly Job[];
  readonly #clock: Clock;

  constructor(jobs: readonly Job[], clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
  }

  begin({ world }: Epoch): void {
    const communicator = communicatorOf(world);
    const service = new JobService(communicator, this.#jobs, this.#clock);
    this.communicator = communicator;
    this.service = service;
    if (communicator.rank === 0) return;
    // A rank that cannot run a job revokes the communicator, so that the others do not wait for it.
    service.serve().catch(() => communicator.revoke());
  }
}

/** A room member that takes part in the room's jobs: a tab or a Node process as a rank. */
export class ClusterSession {
  readonly room: Room;
  readonly #jobs: EpochJobs;

  private constructor(room: Room, jobs: EpochJobs) {
    this.room = room;
    this.#jobs = jobs;
  }

  /** Joins the room whose members are at `hosts`, or opens a room if none are given. Errors: see Room. */
  static async start(
    options: SessionOptions,
    hosts?: readonly Addresses[],
    signal?: AbortSignal,
  ): Promise<ClusterSession> {
    const jobs = new EpochJobs([measure, ...(options.jobs ?? [])], options.clock);
    const onEpoch = (epoch: Epoch) => {
      jobs.begin(epoch);
      options.onEpoch?.(epoch);
    };
    const room = hosts
      ? await Room.join({ ...options, onEpoch }, hosts, signal)
      : Room.open({ ...options, onEpoch });
    return new ClusterSession(room, jobs);
  }

  get communicator(): Communicator | undefined {
    return this.#jobs.communicator;
  }

  /** Runs a job on all ranks; no rank can join until it ends. Rejects with BadArgument if this rank is not the host. */
  async run<P extends Value, R>(
    job: Job<P, R>,
    parameters: P,
    onProgress?: (fraction: number) => void,
  ): Promise<R> {
    const { service } = this.#jobs;
    if (!this.room.isHost || !service) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: "Only the room's host can start jobs.",
        remedy: "Ask the person who opened the room.",
      });
    }
    const release = this.room.hold();
    try {
      return await service.run(job, parameters, onProgress);
    } finally {
      release();
    }
  }
}
