import type { Clock } from "../clock.ts";

/** Somebody who may be gone. */
export interface Suspect {
  readonly hasEnded: boolean;
  readonly lastReceivedAt: number;
  readonly roundTripMs: number | undefined;
  /** Asks for a sign of life. */
  ping(): void;
  /** See Contact. */
  packetsReceived?(): Promise<number | undefined>;
}

/** Milliseconds between pings, and from when on nobody acknowledges them: an acknowledgement takes up to 200. */
const probe = { everyMs: 50, quietMs: 300, minCounts: 4 };

/** Milliseconds to give a sign of life where it cannot be seen whether the transport gets any. */
const signMs = 700;

/** Milliseconds after which somebody whose transport is alive is left to the heartbeat. */
const watchMs = 2000;

/**
 * Looks whether somebody is gone, of whom there is a hint: calls `gone` where it says nothing, and its side of the transport
 * acknowledges nothing either. Whoever is only busy does acknowledge: that is done by another thread than the rank's.
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
