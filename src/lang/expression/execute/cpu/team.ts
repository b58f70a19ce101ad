import { CrinkleError, describeError } from "../../../../core/errors.ts";
import { ChunkBoard } from "./chunk-board.ts";
import type { Estimate } from "./estimate.ts";
import type { StageTask } from "./task.ts";
import type { CpuWorkers, Help } from "./workers.ts";

/** Nanoseconds that a value takes on its way to shared memory or back. */
const copyNs = 0.8;
/** What it costs to tell the workers of a stage and to hear from them. */
const stageNs = 500_000;

/** What a worker is sent. */
export interface Request {
  readonly id: number;
  readonly task: StageTask;
  readonly board: Int32Array;
}

/** What it sends back when it finds no more chunks. */
export interface Answer {
  readonly id: number;
  /** Why it gave up, with a chunk in its hands. */
  readonly failure?: string;
}

/** One worker, as the platform starts it. */
export interface WorkerHandle {
  send(request: Request): void;
  /** Whether the program goes on for the worker's sake. */
  hold(isHeld: boolean): void;
  end(): void;
}

/** Who hears of a worker: of its answers, and of its death, which is the last that is heard of it. */
export interface WorkerListener {
  answered(answer: Answer): void;
  died(reason: string): void;
}

interface Seat {
  readonly handle: WorkerHandle;
  readonly tasks: Set<Task>;
  /** Whether it has ever answered. */
  isProven: boolean;
}

/** A stage that is under way. */
interface Task {
  readonly id: number;
  readonly board: ChunkBoard;
  readonly seats: Set<Seat>;
  readonly failures: string[];
  changed(): void;
}

/** Workers that are started when there is first work for them, and stay. One that dies is replaced if it ever worked. */
export class CpuTeam implements CpuWorkers {
  #size: number;
  #problem: string | undefined;
  readonly #start: (listener: WorkerListener) => WorkerHandle;
  readonly #seats = new Set<Seat>();
  readonly #tasks = new Map<number, Task>();
  #lastId = 0;

  /** `start` may throw where the platform lets no worker be made; `problem` says why the size is 0. */
  constructor(size: number, start: (listener: WorkerListener) => WorkerHandle, problem?: string) {
    this.#size = size;
    this.#start = start;
    this.#problem = problem;
  }

  get size(): number {
    return this.#size;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  pays({ workNs, values, stages }: Estimate): boolean {
    const savedNs = workNs * (1 - 1 / (this.#size + 1));
    return this.#size > 0 && savedNs > values * copyNs + stages * stageNs;
  }

  help(stage: StageTask, cells: Int32Array): Help {
    while (this.#seats.size < this.#size) this.#fillSeat();
    const id = ++this.#lastId;
    let resolve = () => {};
    const task: Task = {
      id,
      board: new ChunkBoard(stage, cells),
      seats: new Set(this.#seats),
      failures: [],
      changed: () => resolve(),
    };
    this.#tasks.set(id, task);
    for (const seat of task.seats) {
      seat.tasks.add(task);
      seat.handle.hold(true);
      seat.handle.send({ id, task: stage, board: cells });
    }
    return {
      finished: async () => {
        while (!task.board.isDone) {
          if (task.seats.size === 0) throw lostChunks(task.failures);
          await new Promise<void>((wake) => {
            resolve = wake;
          });
        }
      },
    };
  }

  /** Ends all workers; work that is under way fails. They start again when there is work. */
  end(): void {
    for (const seat of [...this.#seats]) {
      seat.handle.end();
      this.#leave(seat, "it was ended");
    }
  }

  #fillSeat(): void {
    let seat: Seat | undefined;
    try {
      const handle = this.#start({
        answered: ({ id, failure }) => {
          const task = this.#tasks.get(id);
          if (!seat || !task) return;
          seat.isProven = true;
          this.#finish(seat, task, failure);
        },
        died: (reason) => {
          if (!seat || !this.#seats.has(seat)) return;
          if (!seat.isProven) this.#giveUp(reason);
          this.#leave(seat, reason);
        },
      });
      seat = { handle, tasks: new Set(), isProven: false };
      this.#seats.add(seat);
    } catch (error) {
      this.#giveUp(describeError(error));
    }
  }

  /** Does with fewer from now on: what failed to start will fail again. */
  #giveUp(reason: string): void {
    this.#size--;
    this.#problem = `A worker for the CPU could not be started: ${reason}.`;
  }

  #leave(seat: Seat, reason: string): void {
    this.#seats.delete(seat);
    for (const task of seat.tasks) this.#finish(seat, task, reason);
  }

  #finish(seat: Seat, task: Task, failure: string | undefined): void {
    if (failure) task.failures.push(failure);
    task.seats.delete(seat);
    seat.tasks.delete(task);
    if (seat.tasks.size === 0) seat.handle.hold(false);
    if (task.seats.size === 0) this.#tasks.delete(task.id);
    task.changed();
  }
}

function lostChunks(failures: readonly string[]): CrinkleError {
  return new CrinkleError({
    tag: "Internal",
    problem: `A worker of the CPU did not finish its part: ${failures.join("; ") || "it said nothing"}.`,
    remedy: "Try again; if there is little memory left, with a smaller part of the data.",
  });
}
