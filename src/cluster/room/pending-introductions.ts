import type { Clock } from "../clock.ts";
import type { Introduction } from "./room-message.ts";

/** Peers that the host has announced, kept until they connect or their time is up. */
export class PendingIntroductions {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #entries = new Map<string, { readonly who: Introduction; readonly until: number }>();

  /** `ms`: how long an invited peer has to link to the others. */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  add(who: Introduction): void {
    const now = this.#clock.now();
    for (const [id, { until }] of this.#entries) if (until < now) this.#entries.delete(id);
    this.#entries.set(who.id, { who, until: now + this.#ms });
  }

  get(id: string): Introduction | undefined {
    const entry = this.#entries.get(id);
    return entry && entry.until >= this.#clock.now() ? entry.who : undefined;
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  get size(): number {
    return this.#entries.size;
  }
}
