/** What is measured of models with a temperature, an energy and a magnetization a site. */
import type { LatticeModel, Numbers } from "./model.ts";

const variance = (meanOfSquares: number, mean: number): number => meanOfSquares - mean * mean;

export const thermal: Pick<LatticeModel, "observables" | "measures"> = {
  observables: {
    energy: ({ energy }: Numbers) => energy,
    energy2: ({ energy }: Numbers) => energy ** 2,
    magnetization: ({ magnetization }: Numbers) => Math.abs(magnetization),
    magnetization2: ({ magnetization }: Numbers) => magnetization ** 2,
    magnetization4: ({ magnetization }: Numbers) => magnetization ** 4,
  },
  measures: {
    energy: {
      label: "Energy",
      meaning: "energy a site, ⟨E⟩ / N",
      unit: "J per site",
      of: ({ energy }) => energy,
    },
    magnetization: {
      label: "Magnetization",
      meaning: "⟨|m|⟩, the mean order of a site",
      unit: "per site",
      of: ({ magnetization }) => magnetization,
    },
    heatCapacity: {
      label: "Heat capacity",
      meaning: "(⟨E²⟩ − ⟨E⟩²) / (N T²)",
      unit: "k per site",
      of: ({ energy, energy2 }, { sites, parameters: { temperature } }) =>
        (sites * variance(energy2, energy)) / temperature ** 2,
    },
    susceptibility: {
      label: "Susceptibility",
      meaning: "N (⟨m²⟩ − ⟨|m|⟩²) / T",
      unit: "1 / J",
      of: ({ magnetization, magnetization2 }, { sites, parameters: { temperature } }) =>
        (sites * variance(magnetization2, magnetization)) / temperature,
    },
    binder: {
      label: "Binder cumulant",
      meaning: "Binder's cumulant, 1 − ⟨m⁴⟩ / (3 ⟨m²⟩²)",
      of: ({ magnetization2, magnetization4 }) => 1 - magnetization4 / (3 * magnetization2 ** 2),
    },
  },
};
