/** Actions that are run in the order in which their turns were taken, each once it is ready. */
export class CallSequencer {
  #taken = 0;
  #next = 0;
  #isHeld = false;
  readonly #ready = new Map<number, () => undefined | Promise<unknown>>();

  take(): number {
    return this.#taken++;
  }

  /** If the action returns a promise, the next one waits until it settles. */
  run(turn: number, action: () => undefined | Promise<unknown>): void {
    this.#ready.set(turn, action);
    this.#advance();
  }

  #advance(): void {
    while (!this.#isHeld) {
      const action = this.#ready.get(this.#next);
      if (!action) return;
      this.#ready.delete(this.#next++);
      const end = action();
      if (end) {
        this.#isHeld = true;
        const release = () => {
          this.#isHeld = false;
          this.#advance();
        };
        end.then(release, release);
      }
    }
  }
}
