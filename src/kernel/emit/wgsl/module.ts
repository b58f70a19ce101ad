/** What the pieces of a WGSL module share: names, and functions that several of them need. */
export class WgslModule {
  readonly #counts = new Map<string, number>();
  readonly #helpers = new Set<string>();

  /** A valid name like the given one that nothing else has: it ends in a number, so that it is no word of the language. */
  fresh(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^[_0-9]+|_+$/g, "") || "value";
    const count = (this.#counts.get(plain) ?? 0) + 1;
    this.#counts.set(plain, count);
    return `${plain}_${count}`;
  }

  /** True the first time that it is asked for a helper. */
  needsHelper(name: string): boolean {
    const isNew = !this.#helpers.has(name);
    this.#helpers.add(name);
    return isNew;
  }
}
