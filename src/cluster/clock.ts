/** Time as a rank sees it, so that tests can run it. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls once after `ms` milliseconds; what it returns takes that back. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
