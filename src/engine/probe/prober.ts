/** Answers one question at a time. Of the waiting ones only the latest is answered; the others resolve to undefined. */
export class Prober<Question, Answer> {
  readonly #answer: (question: Question) => Promise<Answer | undefined>;
  #running: Promise<unknown> | undefined;
  /** Resolves the waiting question's turn. */
  #decide: ((isItsTurn: boolean) => void) | undefined;

  constructor(answer: (question: Question) => Promise<Answer | undefined>) {
    this.#answer = answer;
  }

  async ask(question: Question): Promise<Answer | undefined> {
    this.#settle(false);
    while (this.#running) {
      const isItsTurn = await new Promise<boolean>((resolve) => {
        this.#decide = resolve;
      });
      if (!isItsTurn) return undefined;
    }
    const running = this.#answer(question);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
      this.#settle(true);
    }
  }

  #settle(isItsTurn: boolean): void {
    const decide = this.#decide;
    this.#decide = undefined;
    decide?.(isItsTurn);
  }
}
