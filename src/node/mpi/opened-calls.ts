import type { Handle, HandleArray } from "./abi.ts";
import { CallSequencer } from "./call-sequencer.ts";
import type { MpiLibrary } from "./library.ts";
import {
  type CallOpening,
  decodeOpenings,
  encodeOpening,
  isEndOfAll,
  type OpenedData,
  type Opening,
  openingBytes,
} from "./opening.ts";
import type { Requests } from "./requests.ts";

/** A nonblocking MPI call on a communicator. */
type Issue = (communicator: Handle, request: HandleArray) => number;

type Run = (name: string, issue: Issue, memory: unknown) => Promise<void>;

/** A collective call that all ranks have opened. */
export interface OpenedCall {
  /** Of each rank, in rank order. */
  readonly data: readonly OpenedData[];
  /** Runs one MPI collective, which is part of the call on all ranks; keeps `memory` until it is done. */
  readonly run: Run;
  /** Like `run`, for several calls, one after the other; later ones of the communicator wait for them. */
  hold<R>(task: (run: Run, communicator: Handle) => Promise<R>): Promise<R>;
  /** Tells that no MPI collective is part of the call. One of these is called once, on all ranks alike. */
  skip(): void;
}

/** The MPI communicators of one of ours: MPI wants its collectives in the same order on all ranks. */
interface Communicators {
  /** Openings are exchanged in the order of the calls. */
  readonly openings: Handle;
  /** The MPI collectives that follow, too, whichever is opened first. */
  readonly bodies: Handle;
}

/**
 * The collective calls of a communicator. Ranks first compare what they call, because MPI may hang, or give wrong
 * results, where they call different collectives.
 */
export class OpenedCalls {
  readonly library: MpiLibrary;
  readonly rank: number;
  readonly size: number;
  readonly #requests: Requests;
  readonly #sequencer = new CallSequencer();
  #communicators: Communicators | undefined;
  /** Openings that wait for the communicators; or why there will be none. */
  #waiting: { start(): void; reject(error: unknown): void }[] = [];
  #failure: unknown;
  #hasEnded = false;

  private constructor(library: MpiLibrary, requests: Requests, rank: number, size: number) {
    this.library = library;
    this.#requests = requests;
    this.rank = rank;
    this.size = size;
  }

  /** Those of MPI_COMM_WORLD; waits for the other ranks. */
  static ofWorld(library: MpiLibrary, requests: Requests): OpenedCalls {
    const { world } = library.abi;
    const calls = new OpenedCalls(library, requests, library.rankIn(world), library.sizeOf(world));
    calls.#connect({ openings: library.dup(world), bodies: library.dup(world) });
    return calls;
  }

  /** Opens the next call, at once. Rejects with BadArgument if another rank's next call is a different one. */
  open(opening: CallOpening): Promise<OpenedCall> {
    const turn = this.#sequencer.take();
    return new Promise((resolve, reject) => {
      const skip = () => this.#sequencer.run(turn, () => undefined);
      const start = () => {
        this.#exchange(opening, (error, all) => {
          try {
            if (error) throw error;
            const data = decodeOpenings(all, this.rank, opening, turn);
            resolve({
              data,
              skip,
              run: (...call) => this.#run(turn, ...call),
              hold: (task) => this.#hold(turn, task),
            });
          } catch (problem) {
            skip();
            reject(problem);
          }
        });
      };
      if (this.#communicators) start();
      else if (this.#failure) reject(this.#failure);
      else this.#waiting.push({ start, reject });
    });
  }

  /** Those of a communicator with the same ranks. */
  dup(): OpenedCalls {
    const made = new OpenedCalls(this.library, this.#requests, this.rank, this.size);
    const opened = this.open({ operation: "dup", signature: 0 });
    this.#dup(opened).then(
      (communicators) => made.#connect(communicators),
      (error) => made.#fail(error),
    );
    return made;
  }

  /**
   * Opens no more calls. Other ranks may have opened some that this rank has not, which MPI cannot cancel: takes part in
   * them by saying so, until all ranks do.
   */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const answer = () =>
      this.#exchange({ operation: "end", signature: 0 }, (error, all) => {
        if (!error && !isEndOfAll(all)) answer();
      });
    if (this.#communicators) answer();
    else this.#waiting.push({ start: answer, reject: () => {} });
  }

  /** Releases MPI's communicators when nothing is in progress on any rank. */
  free(): void {
    this.#hasEnded = true;
    if (!this.#communicators) return;
    this.library.free(this.#communicators.openings);
    this.library.free(this.#communicators.bodies);
  }

  async #dup(opened: Promise<OpenedCall>): Promise<Communicators> {
    const { abi, call } = this.library;
    const [first, second] = [abi.newHandles(1), abi.newHandles(1)];
    const { hold } = await opened;
    const idup = (from: Handle, into: HandleArray) =>
      this.#requests.run("MPI_Comm_idup", (request) => call.Comm_idup(from, into, request), into);
    // Open MPI 4.1 may hang where ranks make several communicators at once.
    await hold(async (_, bodies) => {
      await idup(bodies, first);
      await idup(first[0], second);
    });
    return { openings: first[0], bodies: second[0] };
  }

  #exchange(opening: Opening, done: (error: Error | undefined, all: Uint8Array) => void): void {
    const { call, abi } = this.library;
    const own = encodeOpening(opening);
    const all = new Uint8Array(openingBytes * this.size);
    const { openings } = this.#communicators as Communicators;
    const issue = (request: HandleArray) =>
      call.Iallgather(own, openingBytes, abi.byte, all, openingBytes, abi.byte, openings, request);
    this.#requests.start("MPI_Iallgather", issue, own, (error) => done(error, all));
  }

  #hold<R>(turn: number, task: (run: Run, communicator: Handle) => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#sequencer.run(turn, () => {
        const { bodies } = this.#communicators as Communicators;
        const run: Run = (name, issue, memory) =>
          this.#requests.run(name, (request) => issue(bodies, request), memory);
        const held = task(run, bodies);
        held.then(resolve, reject);
        return held;
      });
    });
  }

  #run(turn: number, name: string, issue: Issue, memory: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sequencer.run(turn, () => {
        const { bodies } = this.#communicators as Communicators;
        this.#requests.run(name, (request) => issue(bodies, request), memory).then(resolve, reject);
      });
    });
  }

  #connect(communicators: Communicators): void {
    this.#communicators = communicators;
    for (const { start } of this.#waiting.splice(0)) start();
  }

  #fail(error: unknown): void {
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
