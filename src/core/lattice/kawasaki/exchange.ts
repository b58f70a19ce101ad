/** What models have in common whose neighbours exchange their spins (Kawasaki 1966): the number of spins that are up is conserved. */
import { printShape } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";
import { siteBrush } from "../brush.ts";
import { thresholdOf } from "../chance.ts";
import type { LatticeBrush, LatticeModel, LatticePlan, Numbers } from "../model.ts";
import { temperatureParameter } from "../temperature.ts";
import { thermal } from "../thermal.ts";

/** Streams of random numbers. */
export const streams = { exchange: 0, start: 1 } as const;

/** Throws BadArgument unless all lengths are multiples of a number. */
export function checkMultiples(lengths: readonly number[], of: number, why: string): void {
  const axis = lengths.findIndex((length) => length % of !== 0);
  if (axis < 0) return;
  throw badArgument(
    `The lattice ${printShape({ lengths })} has ${lengths[axis]} sites along axis ${axis}, ${why}.`,
    `Give it lengths that are multiples of ${of}.`,
  );
}

/**
 * Kernel text of the exchange of two unlike neighbours of z neighbours each, by heat bath: of both states of the pair each is taken with
 * its probability. `around_up` and `around_down` are how many neighbours are up of the spin that is up, and of the one that is down.
 */
export const exchangeText = (neighbors: number): string => /* wgsl */ `
fn is_exchanged(around_up: u32, around_down: u32, random: u32) -> bool {
  return random < constants.thresholds[${neighbors}u + around_up - around_down];
}`;

/**
 * The constants of a lattice of so many sites, each with z neighbours: `thresholds[z + n]` is that of 1 / (1 + exp(ΔE / T)), if the spin
 * that is up has n more neighbours that are up than the other: ΔE = 4·(n + 1), since the pair's own bond does not change.
 */
export const exchangeConstants = (
  sites: number,
  neighbors: number,
): Pick<LatticePlan, "constants" | "constantsOf"> => ({
  constants: { thresholds: { type: "u32", length: 2 * neighbors - 1 }, up: { type: "u32", length: 1 } },
  constantsOf: ({ temperature, concentration }) => ({
    thresholds: Array.from({ length: 2 * neighbors - 1 }, (_, k) =>
      thresholdOf(1 / (1 + Math.exp((4 * (k + 1 - neighbors)) / temperature))),
    ),
    up: [Math.round(sites * concentration)],
  }),
});

/** Sets the spins of cells within reach, in arrays of a spin an element. */
export const exchangeBrush = (
  name: string,
  lengths: readonly number[],
  arrays: readonly string[],
): LatticeBrush => ({
  min: -1,
  max: 1,
  isWhole: true,
  note: "Drawing changes how many spins are up; sweeps keep the new number.",
  passes: [
    siteBrush(
      name,
      lengths,
      Object.fromEntries(arrays.map((array) => [array, "u32(constants.value > 0.0)"])),
    ),
  ],
});

/** A model with so many sites to a cell of the lattice, at usual temperatures on 1, 2, … axes. */
export const exchangeModel = (
  model: Pick<LatticeModel, "name" | "title" | "summary" | "on">,
  sitesOfCell: number,
  temperatures: readonly number[],
): LatticeModel => ({
  ...model,
  parameters: {
    temperature: temperatureParameter(temperatures),
    concentration: {
      label: "Concentration of up spins",
      meaning: "the part of the spins that is up",
      default: 0.5,
      min: 0,
      max: 1,
    },
  },
  start: "random",
  observables: {
    energy: ({ energy }: Numbers) => energy,
    energy2: ({ energy }: Numbers) => energy ** 2,
    magnetization: ({ magnetization }: Numbers) => magnetization,
  },
  measures: {
    energy: thermal.measures.energy,
    magnetization: {
      label: "Magnetization",
      meaning: "m, which is conserved",
      unit: "per site",
      of: ({ magnetization }) => magnetization,
    },
    heatCapacity: {
      ...thermal.measures.heatCapacity,
      of: (means, { sites, parameters }) =>
        thermal.measures.heatCapacity.of(means, { sites: sitesOfCell * sites, parameters }),
    },
  },
});
