/** All states of models on small tori. */
import { countOf } from "../../hypercube/shape.ts";
import { neighborSum } from "./ising.ts";
import { sameStates } from "./potts.ts";

const lengths = [4, 4] as const;

export interface Level {
  /** Of the whole lattice. */
  readonly energy: number;
  /** |Σ s|, or what the model has for it. */
  readonly magnetization: number;
  readonly states: number;
}

/** The 65,536 states of the Ising model on 4 × 4 sites, by energy and |Σ s|. */
export function levels4x4(): Level[] {
  const found = new Map<string, { energy: number; magnetization: number; states: number }>();
  const spins = new Int8Array(16);
  // Each state follows from the one before by flipping one spin (Gray's code).
  spins.fill(-1);
  let [energy, sum] = [-32, -16];
  for (let n = 0; n < 65536; n++) {
    if (n > 0) {
      const site = 31 - Math.clz32(n & -n);
      energy += 2 * spins[site] * neighborSum(lengths, spins, site);
      sum -= 2 * spins[site];
      spins[site] = -spins[site];
    }
    const key = `${energy} ${Math.abs(sum)}`;
    const level = found.get(key) ?? { energy, magnetization: Math.abs(sum), states: 0 };
    level.states++;
    found.set(key, level);
  }
  return [...found.values()];
}

/** The states of the Potts model, each as a level. */
export function pottsLevels(lengths: readonly number[], q: number): Level[] {
  const sites = countOf(lengths);
  return Array.from({ length: q ** sites }, (_, n) => {
    const states = Int8Array.from({ length: sites }, (_, site) => Math.floor(n / q ** site) % q);
    const same = states.reduce((sum, state, site) => sum + sameStates(lengths, states, site, state), 0);
    const counts = new Array<number>(q).fill(0);
    for (const state of states) counts[state]++;
    return { energy: -same / 2, magnetization: (q * Math.max(...counts) - sites) / (q - 1), states: 1 };
  });
}

/** The levels with their probabilities at a temperature. */
export function canonical(levels: readonly Level[], temperature: number): (Level & { readonly p: number })[] {
  const weights = levels.map(({ energy, states }) => states * Math.exp(-energy / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return levels.map((level, k) => ({ ...level, p: weights[k] / sum }));
}
