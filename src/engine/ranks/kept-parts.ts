/** What a rank keeps between two jobs, such as fields on its device. */
export interface KeptPart {
  /** Whether the device that it lies on still works. */
  readonly isUsable: boolean;
  /** Milliseconds after its last use for which it is kept, where these are not those of most parts. */
  readonly keepMs?: number | undefined;
  release(): Promise<void>;
}

/** The most parts that are kept; a page seldom drags more layers in turn. */
const maxParts = 4;

/** Milliseconds after its last use for which a part is kept. */
const keepMs = 60_000;

/** The parts that a rank's last jobs have left for the next ones like them, by a text that says what they are of. */
export class KeptParts<Part extends KeptPart> {
  readonly #parts = new Map<string, { readonly part: Part; readonly timer: ReturnType<typeof setTimeout> }>();
  /** Of the parts that are in use, how often all had been let go of when they were handed over. */
  readonly #clearsBefore = new WeakMap<Part, number>();
  #clears = 0;

  /** Hands over what is kept under this key, if it is usable. Whoever takes it puts it back or releases it. */
  async take(key: string): Promise<Part | undefined> {
    const kept = this.#remove(key);
    if (kept) this.#clearsBefore.set(kept, this.#clears);
    if (!kept || kept.isUsable) return kept;
    await kept.release();
    return undefined;
  }

  /**
   * Keeps a part for the next job, and lets go of the one that has been unused for longest where there are too many; of the part
   * itself where all were let go of while it was in use.
   */
  async put(key: string, part: Part): Promise<void> {
    if ((this.#clearsBefore.get(part) ?? this.#clears) !== this.#clears) return part.release();
    const former = this.#remove(key);
    const timer = setTimeout(() => void this.#remove(key)?.release(), part.keepMs ?? keepMs);
    // In Node a part that is kept does not keep the process.
    if (typeof timer === "object") timer.unref();
    this.#parts.set(key, { part, timer });
    const [oldest] = this.#parts.keys();
    const surplus = this.#parts.size > maxParts ? this.#remove(oldest) : undefined;
    for (const gone of [former, surplus]) await gone?.release();
  }

  async clear(): Promise<void> {
    this.#clears++;
    for (const key of [...this.#parts.keys()]) await this.#remove(key)?.release();
  }

  #remove(key: string): Part | undefined {
    const kept = this.#parts.get(key);
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    this.#parts.delete(key);
    return kept.part;
  }
}
