/** A rank's view of time; tests supply their own. */
export interface Clock {
  /** Milliseconds since an arbitrary origin. */
  now(): number;
  /** Calls `call` once after `ms` milliseconds; the returned function cancels that. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
