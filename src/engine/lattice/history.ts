import type { LatticeChange, LatticeStroke, Numbers } from "./api.ts";

/** So many changes are kept: a link has to hold them. */
export const maxChanges = 2000;

/** What a person changed, in order, so that it can be done again. */
export class LatticeHistory {
  readonly #changes: LatticeChange[];
  #isFull = false;

  constructor(changes: readonly LatticeChange[]) {
    this.#changes = [...changes];
  }

  get changes(): readonly LatticeChange[] {
    return this.#changes;
  }

  /** Why the run cannot be repeated from them; undefined where it can. */
  get unrepeatable(): string | undefined {
    return this.#isFull
      ? `It was changed more than ${maxChanges} times: later changes are not kept, so that a saved view does not repeat it.`
      : undefined;
  }

  /** Of changes of parameters without a sweep between them, the last is kept. */
  setParameters(sweep: number, parameters: Numbers): void {
    const last = this.#changes.at(-1);
    if (last?.kind === "parameters" && last.sweep === sweep) this.#changes.pop();
    this.#add({ kind: "parameters", sweep, parameters });
  }

  addStroke(sweep: number, stroke: LatticeStroke): void {
    this.#add({ kind: "stroke", sweep, stroke });
  }

  #add(change: LatticeChange): void {
    if (this.#changes.length < maxChanges && !this.#isFull) this.#changes.push(change);
    else this.#isFull = true;
  }
}
