import type { Clock } from "../clock.ts";

/** A peer that may be gone. */
export interface Suspect {
  readonly hasEnded: boolean;
  readonly lastReceivedAt: number;
  readonly roundTripMs: number | undefined;
  /** Asks for a sign of life. */
  ping(): void;
  /** See UnauthenticatedConnection. */
  packetsReceived?(): Promise<number | undefined>;
}

/**
 * Milliseconds between pings, and without acknowledgements before the peer counts as gone; an
 * acknowledgement takes up to 200 ms.
 */
const probe = { everyMs: 50, quietMs: 300, minCounts: 4 };

/** Milliseconds to show a sign of life if acknowledgements cannot be observed. */
const signMs = 700;

/** Milliseconds after which a peer whose transport is alive is left to the failure detector. */
const watchMs = 2000;

/**
 * Checks a peer after a hint that it is gone: calls `gone` if it sends nothing and its transport
 * acknowledges nothing. A rank that is merely busy still acknowledges, because its system does that on
 * another thread.
 */
export function probeSuspect(suspect: Suspect, clock: Clock, gone: () => void): void {
  const start = clock.now();
  const before = suspect.lastReceivedAt;
  let known: { readonly packets: number; readonly since: number; counts: number } | undefined;
  let isOver = false;
  const isMissed = (): boolean => {
    isOver ||= suspect.hasEnded || suspect.lastReceivedAt !== before;
    return !isOver;
  };
  const giveUp = () => {
    isOver = true;
    gone();
  };
  const take = (packets: number | undefined) => {
    if (packets === undefined || !isMissed()) return;
    const now = clock.now();
    if (known?.packets !== packets) known = { packets, since: now, counts: 0 };
    const quiet = Math.max(probe.quietMs, 2 * (suspect.roundTripMs ?? 0));
    if (++known.counts >= probe.minCounts && now - known.since >= quiet) giveUp();
  };
  const look = () => {
    if (!isMissed()) return;
    const passed = clock.now() - start;
    if (!known && passed >= signMs) giveUp();
    if (isOver || passed >= watchMs) return;
    suspect.ping();
    void suspect.packetsReceived?.().then(take);
    clock.after(probe.everyMs, look);
  };
  look();
}
