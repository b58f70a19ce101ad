import { CrinkleError } from "../../core/errors.ts";

interface Entry {
  readonly operation: string;
  reject(error: Error): void;
}

/** Calls under way, all of which end when their communicator does. */
export class Pending {
  readonly #entries = new Set<Entry>();
  #endOf: ((operation: string) => CrinkleError) | undefined;

  /**
   * Follows `work`, or rejects at the end. That a link has ended is told by the end, which names the ranks: until then
   * the call waits.
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
          this.#entries.delete(entry);
          resolve(value);
        },
        (error: unknown) => {
          if (error instanceof CrinkleError && error.tag === "LinkClosed") return;
          this.#entries.delete(entry);
          reject(error);
        },
      );
    });
  }

  /** Throws what the calls were ended with. */
  check(operation: string): void {
    if (this.#endOf) throw this.#endOf(operation);
  }

  get hasEnded(): boolean {
    return this.#endOf !== undefined;
  }

  end(endOf: (operation: string) => CrinkleError): void {
    if (this.#endOf) return;
    this.#endOf = endOf;
    for (const { operation, reject } of this.#entries) reject(endOf(operation));
    this.#entries.clear();
  }
}
