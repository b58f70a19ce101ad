/** Actions that are run in the order in which their turns were taken, each once it is ready. */
export class Turns {
  #taken = 0;
  #next = 0;
  readonly #ready = new Map<number, () => void>();

  take(): number {
    return this.#taken++;
  }

  run(turn: number, action: () => void): void {
    this.#ready.set(turn, action);
    for (let next = this.#ready.get(this.#next); next; next = this.#ready.get(this.#next)) {
      this.#ready.delete(this.#next++);
      next();
    }
  }
}
