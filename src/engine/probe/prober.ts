/** Answers one question at a time: of those that wait, the latest; the others get nothing. */
export class Prober<Question, Answer> {
  readonly #answer: (question: Question) => Promise<Answer | undefined>;
  #running: Promise<unknown> | undefined;
  /** Tells the question that waits whether its turn has come. */
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
