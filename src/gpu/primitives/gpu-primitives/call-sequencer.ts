import type { Eventual } from "./eventual.ts";

/** Made when the turn comes; later turns wait for what it returns. */
type Check = () => Promise<void> | undefined;

/**
 * A method's place in the order of calls. A ticket is over once its method has recorded and all tickets before it are over. Where
 * nothing has to be waited for, nothing is.
 */
export class Ticket {
  readonly #check: Check;
  /** Resolves when the tickets before it are over; undefined from then on. */
  #begun: Promise<void> | undefined;
  #isEnded = false;
  #isOver = false;
  #over: Promise<void> | undefined;
  #resolve = () => {};

  constructor(previous: Ticket | undefined, check: Check) {
    this.#check = check;
    if (!previous || previous.isOver) return;
    this.#begun = previous.over().then(() => {
      this.#begun = undefined;
      if (this.#isEnded) this.#finish();
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the method waits for before it records, once every method that was called before has recorded. */
  ready<P>(prepared: Eventual<P>): Eventual<P> {
    if (this.#begun || prepared instanceof Promise) return this.#whenReady(prepared);
    const checked = this.#check();
    return checked ? checked.then(() => prepared) : prepared;
  }

  /** Lets later methods record: what this one still waits for comes of what it has recorded. */
  recorded<R>(result: Promise<R>): Promise<R> {
    this.end();
    return result;
  }

  /** The same, at the method's end. */
  end(): void {
    this.#isEnded = true;
    if (!this.#begun) this.#finish();
  }

  /** Resolves when it is over. */
  over(): Promise<void> {
    this.#over ??= new Promise((resolve) => {
      if (this.#isOver) resolve();
      else this.#resolve = resolve;
    });
    return this.#over;
  }

  async #whenReady<P>(prepared: Eventual<P>): Promise<P> {
    const result = await prepared;
    await this.#begun;
    await this.#check();
    return result;
  }

  #finish(): void {
    this.#isOver = true;
    this.#resolve();
  }
}

/** Lets what was called first take effect first, whatever each call has to wait for before. */
export class CallSequencer {
  #last: Ticket | undefined;

  take(check: Check): Ticket {
    const ticket = new Ticket(this.#last, check);
    this.#last = ticket;
    return ticket;
  }
}
