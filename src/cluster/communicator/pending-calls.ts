import { CrinkleError } from "../../core/errors.ts";
import { freed } from "./errors.ts";

interface Entry {
  readonly operation: string;
  reject(error: Error): void;
}

/** Calls in progress, all of which end when their communicator does. */
export class PendingCalls {
  readonly #entries = new Set<Entry>();
  #endOf: ((operation: string) => CrinkleError) | undefined;
  /**
   * Set once no more calls are accepted: the calls still in progress, and what to call when none are left.
   */
  #closing: { readonly left: Set<Entry>; readonly onEmpty: () => void } | undefined;

  /** Called when the communicator ends. */
  onEnd: () => void = () => {};

  /**
   * Follows `work`, or rejects when the communicator ends. A broken link alone does not reject: the call
   * waits for the communicator's end, which names the failed ranks.
   */
  guard<T>(operation: string, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#endOf) {
        work.catch(() => {});
        reject(this.#endOf(operation));
        return;
      }
      const entry = { operation, reject };
      this.#entries.add(entry);
      work.then(
        (value) => {
          this.#delete(entry);
          resolve(value);
        },
        (error: unknown) => {
          if (error instanceof CrinkleError && error.tag === "LinkClosed") return;
          this.#delete(entry);
          reject(error);
        },
      );
    });
  }

  /** Throws if the calls have ended or no more are accepted. */
  check(operation: string): void {
    if (this.#endOf) throw this.#endOf(operation);
    if (this.#closing) throw freed(operation);
  }

  /** Accepts no more calls; resolves when those in progress have ended. */
  close(): Promise<void> {
    return new Promise((onEmpty) => {
      this.#closing = { left: new Set(this.#entries), onEmpty };
      if (this.#entries.size === 0) onEmpty();
    });
  }

  get hasEnded(): boolean {
    return this.#endOf !== undefined;
  }

  end(endOf: (operation: string) => CrinkleError): void {
    if (this.#endOf) return;
    this.#endOf = endOf;
    for (const { operation, reject } of this.#entries) reject(endOf(operation));
    this.#entries.clear();
    this.#closing?.onEmpty();
    this.onEnd();
  }

  #delete(entry: Entry): void {
    this.#entries.delete(entry);
    if (this.#closing?.left.delete(entry) && this.#closing.left.size === 0) this.#closing.onEmpty();
  }
}
