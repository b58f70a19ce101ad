/** A method's place in the order of calls. */
export interface Turn {
  /** What the method waits for before it records, once every method that was called before has recorded. */
  ready<P>(prepared: Promise<P>): Promise<P>;
  /** Lets later methods record: what this one still waits for comes of what it has recorded. */
  recorded<R>(result: Promise<R>): Promise<R>;
  /** The same, at the method's end. */
  end(): void;
}

/** Lets what was called first take effect first, whatever each call has to wait for before. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** `check` is made when the turn comes; later turns wait for what it returns. */
  take(check: () => Promise<void> | undefined): Turn {
    const begun = this.#last;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last = begun.then(() => ended);
    return {
      async ready(prepared) {
        const result = await prepared;
        await begun;
        const checked = check();
        if (checked) await checked;
        return result;
      },
      recorded(result) {
        end();
        return result;
      },
      end,
    };
  }
}
