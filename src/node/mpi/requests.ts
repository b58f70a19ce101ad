import { setImmediate as nextTurn } from "node:timers/promises";
import type { Handle, HandleArray } from "./abi.ts";
import type { MpiLibrary } from "./library.ts";

/**
 * While something is in progress: milliseconds since a request was done after which polling makes pauses, their length,
 * and polls after each of them. MPI moves long messages in many steps, each within a poll.
 */
const busy = { eagerMs: 50, pauseShare: 1, maxPauseMs: 1, polls: 32 };
/** While nothing is in progress but receiving; pauses take a fraction of the idle time. */
const idle = { eagerMs: 2, pauseShare: 1 / 8, maxPauseMs: 10, polls: 1 };

/** How long to wait, while nothing happens, for requests in progress: a message that nobody receives is never sent. */
const maxClosingMs = 1000;
/** Requests handled in one turn of the event loop before others get theirs. */
const maxAtOnce = 64;

interface Entry {
  done(error?: Error): void;
  readonly memory: unknown;
}

/**
 * Requests in progress, which the event loop polls: in every turn while messages move, and at growing intervals while
 * nothing happens. Keeps the memory that MPI reads and writes, and the process, until requests are done.
 */
export class Requests {
  readonly #library: MpiLibrary;
  readonly #isCrowded: boolean;
  /** The requests in progress come first; MPI sets those that are done to MPI_REQUEST_NULL. */
  #handles: HandleArray;
  readonly #started: HandleArray;
  /** For each request in progress: what to call, and the memory it uses. */
  readonly #entries: Entry[] = [];
  /** How many of them were started by `listen`. */
  #listening = 0;
  readonly #index = new Int32Array(1);
  readonly #flag = new Int32Array(1);
  #movedAt = performance.now();
  #cancelTurn: (() => void) | undefined;
  #isPaused = false;
  #isClosed = false;

  /**
   * `isCrowded`: there are more ranks than cores, so one that waits lets others run. Otherwise they would get a core
   * only when the system takes it away from a rank that polls.
   */
  constructor(library: MpiLibrary, isCrowded: boolean) {
    this.#library = library;
    this.#isCrowded = isCrowded;
    this.#handles = library.abi.newHandles(64);
    this.#started = library.abi.newHandles(1);
    this.#schedule();
  }

  /**
   * Starts a nonblocking call of that name; `issue` passes on the request. `done` is called once it is done. Neither
   * `memory` is collected before, nor may it be changed.
   */
  start(
    name: string,
    issue: (request: HandleArray) => number,
    memory: unknown,
    done: (error?: Error) => void,
  ): Handle {
    this.#library.check(issue(this.#started), name);
    const handle = this.#started[0];
    const k = this.#entries.push({ done, memory }) - 1;
    if (k === this.#handles.length) {
      const longer = this.#library.abi.newHandles(2 * k);
      for (let i = 0; i < k; i++) longer[i] = this.#handles[i];
      this.#handles = longer;
    }
    this.#handles[k] = handle;
    this.#movedAt = performance.now();
    if (this.#isPaused) this.#schedule();
    return handle;
  }

  /** Like `start`, for a request that may wait for a long time. */
  listen(...all: Parameters<Requests["start"]>): Handle {
    const [name, issue, memory, done] = all;
    this.#listening++;
    return this.start(name, issue, memory, (error) => {
      this.#listening--;
      done(error);
    });
  }

  /** Like `start`; resolves when the request is done. */
  run(name: string, issue: (request: HandleArray) => number, memory: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.start(name, issue, memory, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Waits for what is in progress as long as something happens, then polls no more. */
  async close(): Promise<void> {
    this.#movedAt = performance.now();
    while (this.#entries.length > 0 && performance.now() - this.#movedAt < maxClosingMs) await nextTurn();
    this.#isClosed = true;
    this.#cancelTurn?.();
  }

  #testAny(): boolean {
    const { call, abi } = this.#library;
    const { length } = this.#entries;
    const code = call.Testany(length, this.#handles, this.#index, this.#flag, abi.statusIgnore);
    const k = this.#index[0];
    if (this.#flag[0] === 0 || k < 0 || k >= length) {
      this.#library.check(code, "MPI_Testany");
      return false;
    }
    const { done } = this.#entries[k];
    const last = this.#entries.pop();
    if (last && k < length - 1) {
      this.#entries[k] = last;
      this.#handles[k] = this.#handles[length - 1];
    }
    done(code === 0 ? undefined : this.#library.errorOf(code, "MPI_Testany"));
    return true;
  }

  #schedule(): void {
    this.#cancelTurn?.();
    if (this.#isClosed) return;
    const { eagerMs, pauseShare, maxPauseMs } = this.#pace;
    const idleMs = performance.now() - this.#movedAt;
    this.#isPaused = idleMs > eagerMs;
    if (this.#isPaused) {
      const timer = setTimeout(this.#turn, Math.min(idleMs * pauseShare, maxPauseMs));
      this.#cancelTurn = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(this.#turn);
      this.#cancelTurn = () => clearImmediate(immediate);
    }
  }

  get #pace() {
    return this.#entries.length > this.#listening ? busy : idle;
  }

  /** Handles what is done now. */
  readonly #turn = () => {
    let left = this.#isPaused ? this.#pace.polls : 1;
    let done = 0;
    while (left > 0 && done < maxAtOnce) {
      if (this.#testAny()) done++;
      else left--;
    }
    if (done > 0) this.#movedAt = performance.now();
    else if (this.#isCrowded) this.#library.yieldCore();
    this.#schedule();
  };
}
