import type { Clock } from "../clock.ts";

export interface WatchTiming {
  /** Milliseconds between signs of life. */
  readonly beat: number;
  /** Milliseconds without any byte after which a rank has failed. */
  readonly silence: number;
}

export const defaultTiming: WatchTiming = { beat: 1000, silence: 5000 };

export interface Watched {
  /** When its last bytes came. */
  heardAt(): number;
  beat(): void;
  /** Once. */
  silent(): void;
}

interface Known {
  readonly watched: Watched;
  since: number;
}

const quietOf = ({ watched, since }: Known, now: number): number => now - Math.max(watched.heardAt(), since);

/** Sends signs of life to others, by what tells them apart, and tells of those from whom none come. */
export class Watch<Other> {
  readonly #clock: Clock;
  readonly #timing: WatchTiming;
  readonly #others = new Map<Other, Known>();
  #last: number;
  #stopTimer = () => {};

  constructor(clock: Clock, timing: WatchTiming) {
    this.#clock = clock;
    this.#timing = timing;
    this.#last = clock.now();
    this.#plan();
  }

  add(other: Other, watched: Watched): void {
    this.#others.set(other, { watched, since: this.#clock.now() });
  }

  remove(other: Other): void {
    this.#others.delete(other);
  }

  clear(): void {
    this.#others.clear();
  }

  stop(): void {
    this.#stopTimer();
    this.clear();
  }

  #plan(): void {
    this.#stopTimer = this.#clock.after(this.#timing.beat, () => this.#tick());
  }

  #tick(): void {
    const { beat, silence } = this.#timing;
    const now = this.#clock.now();
    // Who was frozen itself has heard nobody meanwhile, and what was sent to it may still be on its way.
    const wasFrozen = now - this.#last > silence / 2;
    this.#last = now;
    this.#plan();
    for (const [other, known] of this.#others) {
      if (wasFrozen) known.since = now;
      known.watched.beat();
      const left = silence - quietOf(known, now);
      if (left <= 0) this.#lose(other, known);
      else if (left < beat) this.#clock.after(left, () => this.#look(other, known, now + left));
    }
  }

  /** Looks when somebody's time is over, between two beats. */
  #look(other: Other, known: Known, due: number): void {
    const { silence } = this.#timing;
    const now = this.#clock.now();
    const wasFrozen = now - due > silence / 2;
    if (this.#others.get(other) !== known || wasFrozen || quietOf(known, now) < silence) return;
    this.#lose(other, known);
  }

  #lose(other: Other, { watched }: Known): void {
    this.#others.delete(other);
    watched.silent();
  }
}
