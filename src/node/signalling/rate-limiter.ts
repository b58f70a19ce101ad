/** A token bucket: an allowance of up to `burst` that is refilled at a constant rate. */
export class RateLimiter {
  readonly #burst: number;
  readonly #perSecond: number;
  #available: number;
  #at = performance.now();

  constructor(most: number, perSecond: number) {
    this.#burst = most;
    this.#perSecond = perSecond;
    this.#available = most;
  }

  /** Uses up `amount`; returns false if not enough is left. */
  take(amount: number): boolean {
    const now = performance.now();
    this.#available = Math.min(this.#burst, this.#available + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (amount > this.#available) return false;
    this.#available -= amount;
    return true;
  }
}
