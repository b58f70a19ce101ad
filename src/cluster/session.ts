import { CrinkleError } from "../core/errors.ts";
import type { Clock } from "./clock.ts";
import type { Communicator, Value } from "./communicator/communicator.ts";
import { communicatorOf } from "./communicator/ranks.ts";
import { check } from "./jobs/check.ts";
import { measure } from "./jobs/measure.ts";
import { type Job, JobService } from "./jobs/service.ts";
import type { Epoch } from "./membership/epoch.ts";
import type { RoomParts } from "./room/parts.ts";
import { Room } from "./room/room.ts";
import type { Addresses } from "./room/words.ts";

/** What every rank can do. */
const jobs: readonly Job[] = [measure, check];

/** What a rank does in an epoch: it orders jobs where it is rank 0, and does what is ordered elsewhere. */
class Work {
  communicator: Communicator | undefined;
  service: JobService | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin({ world }: Epoch): void {
    const communicator = communicatorOf(world);
    const service = new JobService(communicator, jobs, this.#clock);
    this.communicator = communicator;
    this.service = service;
    if (communicator.rank === 0) return;
    // A rank that cannot do what it is told ends the epoch's jobs for all, rather than let them wait.
    service.serve().catch(() => communicator.revoke());
  }
}

/** A member of a room that takes part in its jobs: what a tab or a Node process is as a rank. */
export class ClusterSession {
  readonly room: Room;
  readonly #work: Work;

  private constructor(room: Room, work: Work) {
    this.room = room;
    this.#work = work;
  }

  /** Opens a room, or joins the one of whoever is at these addresses; see Room for the errors. */
  static async start(
    parts: RoomParts,
    hosts?: readonly Addresses[],
    signal?: AbortSignal,
  ): Promise<ClusterSession> {
    const work = new Work(parts.clock);
    const began = (epoch: Epoch) => {
      work.begin(epoch);
      parts.began?.(epoch);
    };
    const room = hosts ? await Room.join({ ...parts, began }, hosts, signal) : Room.open({ ...parts, began });
    return new ClusterSession(room, work);
  }

  get communicator(): Communicator | undefined {
    return this.#work.communicator;
  }

  /** Has all ranks do a job. Rejects with BadArgument where this rank is not the host. Nobody joins meanwhile. */
  async run<P extends Value, R>(
    job: Job<P, R>,
    parameters: P,
    tell?: (fraction: number) => void,
  ): Promise<R> {
    const { service } = this.#work;
    if (!this.room.isHost || !service) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: "Jobs are ordered by the room's host.",
        remedy: "Ask the person who opened the room.",
      });
    }
    const release = this.room.hold();
    try {
      return await service.run(job, parameters, tell);
    } finally {
      release();
    }
  }
}
