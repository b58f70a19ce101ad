/**
 * What ranks compute of a divided lattice between two exchanges of layers. A pass that reads layers around an element can only be computed
 * on fewer layers than are known; so ranks know some layers of their neighbours, compute these, too, one less on either side by each
 * such pass, and exchange layers when none are left.
 */
import { arrayNamed, type LatticePlan, type Pass } from "./model.ts";

/** Arrays' layers, by their names, that are known, or have to be, on both sides of a rank's own. */
export type KnownLayers = Readonly<Record<string, number>>;

export interface StretchStep {
  /** A pass of the sweep; undefined for the sums that follow a sweep. */
  readonly pass: Pass | undefined;
  /** Layers on both sides of a rank's own that it is computed on as well. */
  readonly extent: number;
}

export interface Stretch {
  readonly needs: KnownLayers;
  readonly steps: readonly StretchStep[];
}

/** Layers around an element that a pass reads of each array, by the arrays' own names. */
function* readsOf(plan: LatticePlan, pass: Pick<Pass, "reads" | "arrays">): Generator<[string, number]> {
  for (const [name, kind] of Object.entries(pass.reads)) {
    yield [arrayNamed(pass, name), kind === "all" ? (plan.reach ?? 1) : 0];
  }
}

/** Passes and sums one after the other, after which a rank knows its own layers of all arrays. */
function stretchOf(plan: LatticePlan, passes: readonly (Pass | undefined)[]): Stretch {
  const needs: Record<string, number | undefined> = Object.fromEntries(
    Object.keys(plan.arrays).map((name) => [name, 0]),
  );
  const extents: number[] = new Array(passes.length).fill(0);
  for (let k = passes.length - 1; k >= 0; k--) {
    const pass = passes[k];
    if (pass) {
      const written = pass.writes.map((name) => arrayNamed(pass, name));
      extents[k] = Math.max(0, ...written.map((name) => needs[name] ?? 0));
      for (const name of written) needs[name] = undefined;
    }
    for (const [name, reach] of readsOf(plan, pass ?? plan.sums)) {
      needs[name] = Math.max(needs[name] ?? 0, extents[k] + reach);
    }
  }
  return {
    needs: Object.fromEntries(Object.entries(needs).map(([name, layers]) => [name, layers ?? 0])),
    steps: passes.map((pass, k) => ({ pass, extent: extents[k] })),
  };
}

const deepest = ({ needs }: Stretch): number => Math.max(...Object.values(needs));

/** Stretches of a plan's sweeps, each as long as its depth allows. */
export class Stretches {
  readonly #plan: LatticePlan;
  /** The passes of a sweep, and its sums. */
  readonly #cycle: readonly (Pass | undefined)[];
  readonly #made = new Map<string, Stretch>();

  constructor(plan: LatticePlan) {
    this.#plan = plan;
    this.#cycle = [...plan.sweep, undefined];
  }

  /** Steps of a sweep, its sums included. */
  get stepsPerSweep(): number {
    return this.#cycle.length;
  }

  /** Layers that a sweep with its sums needs. */
  get depthOfSweep(): number {
    return deepest(this.#between(0, this.#cycle.length));
  }

  /** Layers that each of several sweeps, one after the other, needs more. */
  get layersPerSweep(): number {
    return deepest(this.#between(0, 2 * this.#cycle.length)) - this.depthOfSweep;
  }

  /**
   * The longest stretch from a step on, of at most `most` steps, that needs no more than `depth` layers; at least one step. Steps count from the
   * first of a sweep.
   */
  from(step: number, most: number, depth: number): Stretch {
    const first = step % this.#cycle.length;
    const key = `${first} ${most} ${depth}`;
    const known = this.#made.get(key);
    if (known) return known;
    let [fits, end] = [1, most + 1];
    while (end - fits > 1) {
      const middle = (fits + end) >> 1;
      if (deepest(this.#between(first, middle)) <= depth) fits = middle;
      else end = middle;
    }
    const stretch = this.#between(first, fits);
    this.#made.set(key, stretch);
    return stretch;
  }

  #between(first: number, steps: number): Stretch {
    const passes = Array.from({ length: steps }, (_, k) => this.#cycle[(first + k) % this.#cycle.length]);
    return stretchOf(this.#plan, passes);
  }
}
