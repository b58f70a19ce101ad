/** All 65,536 states of the Ising model on a torus of 4 × 4 sites. */
import { neighborSum } from "./ising.ts";

const lengths = [4, 4] as const;

interface Level {
  /** Of the whole lattice. */
  readonly energy: number;
  /** |Σ s| */
  readonly magnetization: number;
  readonly states: number;
}

/** The states by energy and |Σ s|. */
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

/** The levels with their probabilities at a temperature. */
export function canonical(levels: readonly Level[], temperature: number): (Level & { readonly p: number })[] {
  const weights = levels.map(({ energy, states }) => states * Math.exp(-(energy + 32) / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return levels.map((level, k) => ({ ...level, p: weights[k] / sum }));
}
