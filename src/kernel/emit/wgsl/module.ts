/** What the pieces of a WGSL module share: names, and functions that several of them need. */
export class WgslModule {
  readonly #counts = new Map<string, number>();
  readonly #taken = new Set<string>();
  readonly #helpers = new Set<string>();

  /** A valid name like the given one that nothing else has: it ends in a number, so that it is no word of the language. */
  fresh(wanted: string): string {
    const plain = plainName(wanted);
    let chosen: string;
    do {
      const count = (this.#counts.get(plain) ?? 0) + 1;
      this.#counts.set(plain, count);
      chosen = `${plain}_${count}`;
    } while (this.#taken.has(chosen));
    this.#taken.add(chosen);
    return chosen;
  }

  /** The same without a number where it is free: for names with a prefix, such as `in_u`, which no word of the language has. */
  claim(wanted: string): string {
    const plain = plainName(wanted);
    if (!plain.includes("_") || this.#taken.has(plain)) return this.fresh(wanted);
    this.#taken.add(plain);
    return plain;
  }

  /** True the first time that it is asked for a helper. */
  needsHelper(name: string): boolean {
    const isNew = !this.#helpers.has(name);
    this.#helpers.add(name);
    return isNew;
  }
}

const plainName = (wanted: string): string =>
  wanted.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^[_0-9]+|_+$/g, "") || "value";
