import type { Clock } from "../clock.ts";

export interface FailureDetectorTiming {
  /** Milliseconds between heartbeats. */
  readonly heartbeatMs: number;
  /** Milliseconds without any bytes after which a peer counts as failed. */
  readonly timeoutMs: number;
}

export const defaultTiming: FailureDetectorTiming = { heartbeatMs: 1000, timeoutMs: 5000 };

export interface MonitoredPeer {
  /** When its last bytes arrived. */
  lastReceivedAt(): number;
  sendHeartbeat(): void;
  /** Called once. */
  onTimeout(): void;
}

interface Monitored {
  readonly peer: MonitoredPeer;
  since: number;
}

const silenceOf = ({ peer, since }: Monitored, now: number): number =>
  now - Math.max(peer.lastReceivedAt(), since);

/** Sends heartbeats to peers, identified by keys of type `Other`, and detects those that have gone silent. */
export class FailureDetector<Other> {
  readonly #clock: Clock;
  readonly #timing: FailureDetectorTiming;
  readonly #peers = new Map<Other, Monitored>();
  #last: number;
  #stopTimer = () => {};

  constructor(clock: Clock, timing: FailureDetectorTiming) {
    this.#clock = clock;
    this.#timing = timing;
    this.#last = clock.now();
    this.#schedule();
  }

  add(other: Other, peer: MonitoredPeer): void {
    this.#peers.set(other, { peer, since: this.#clock.now() });
  }

  remove(other: Other): void {
    this.#peers.delete(other);
  }

  clear(): void {
    this.#peers.clear();
  }

  stop(): void {
    this.#stopTimer();
    this.clear();
  }

  #schedule(): void {
    this.#stopTimer = this.#clock.after(this.#timing.heartbeatMs, () => this.#tick());
  }

  #tick(): void {
    const { heartbeatMs, timeoutMs } = this.#timing;
    const now = this.#clock.now();
    // After a freeze of this process, messages sent to it meanwhile may still be in transit.
    const wasFrozen = now - this.#last > timeoutMs / 2;
    this.#last = now;
    this.#schedule();
    for (const [other, known] of this.#peers) {
      if (wasFrozen) known.since = now;
      known.peer.sendHeartbeat();
      const left = timeoutMs - silenceOf(known, now);
      if (left <= 0) this.#fail(other, known);
      else if (left < heartbeatMs) this.#clock.after(left, () => this.#check(other, known, now + left));
    }
  }

  /** Checks a peer when its time is up, between two heartbeats. */
  #check(other: Other, known: Monitored, deadline: number): void {
    const { timeoutMs } = this.#timing;
    const now = this.#clock.now();
    const wasFrozen = now - deadline > timeoutMs / 2;
    if (this.#peers.get(other) !== known || wasFrozen || silenceOf(known, now) < timeoutMs) return;
    this.#fail(other, known);
  }

  #fail(other: Other, { peer }: Monitored): void {
    this.#peers.delete(other);
    peer.onTimeout();
  }
}
