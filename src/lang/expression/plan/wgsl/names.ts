/**
 * Identifiers for generated WGSL: readable, unique, and never a keyword or builtin, since each ends in a number or
 * begins with a prefix and an underscore.
 */
export class Names {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** `prefix_name`, with a number where that is taken. */
  prefixed(prefix: string, name: string): string {
    const wish = `${prefix}_${plain(name)}`;
    let chosen = wish;
    for (let n = 2; this.#taken.has(chosen); n++) chosen = `${wish}_${n}`;
    this.#taken.add(chosen);
    return chosen;
  }

  /** `name_1`, `name_2`, … */
  numbered(name: string): string {
    const base = plain(name);
    let chosen: string;
    do {
      const n = (this.#counts.get(base) ?? 0) + 1;
      this.#counts.set(base, n);
      chosen = `${base}_${n}`;
    } while (this.#taken.has(chosen));
    this.#taken.add(chosen);
    return chosen;
  }
}

function plain(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return /^[A-Za-z]/.test(cleaned) ? cleaned : `field_${cleaned}`.replace(/_$/, "");
}
