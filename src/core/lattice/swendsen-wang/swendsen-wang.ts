/** The Ising and the Potts model by clusters of equal neighbours that are drawn anew as wholes (Swendsen and Wang, Phys. Rev. Lett. 58, 86, 1987). */
import { checkLengths, countOf } from "../../hypercube/shape.ts";
import { thresholdOf } from "../chance.ts";
import type { LatticeField, LatticeModel, LatticePlan, Numbers } from "../model.ts";
import { statesParameter } from "../potts/states.ts";
import { isingTemperatures, pottsTemperatures, temperatureParameter } from "../temperature.ts";
import { thermal } from "../thermal.ts";
import { type KernelText, randomText, sumsText } from "./text.ts";

const passOf = ({ text, functions }: KernelText): string => `${text}\n${functions}`;

/** What a model with q states has for its own. */
interface Kind {
  readonly title: string;
  /** What a bond of equal ends has less energy than another one. */
  readonly gap: number;
  readonly quantitiesOf: (sums: Numbers, axes: number, sites: number) => Numbers;
  readonly fieldName: string;
  readonly field: LatticeField;
  /** An expression of `states()`. */
  readonly shown: string;
}

function planOf(kind: Kind, lengths: readonly number[], states: number): LatticePlan {
  checkLengths(lengths);
  const sites = countOf(lengths);
  const start = { reads: {}, writes: ["states"], maps: {} };
  return {
    lengths,
    arrays: { states: "u32" },
    length: sites,
    starts: {
      ordered: [{ ...start, name: `${kind.title}: ordered start`, text: `out.states = ${states - 1}u;` }],
      random: [{ ...start, name: `${kind.title}: random start`, text: passOf(randomText(states)) }],
    },
    sweep: [],
    clusters: {
      states,
      bondThreshold: ({ temperature }) => thresholdOf(1 - Math.exp(-kind.gap / temperature)),
    },
    sums: {
      name: `${kind.title}: sums`,
      reads: { states: "all" },
      writes: ["agreeing", ...Array.from({ length: states }, (_, state) => `count_${state}`)],
      maps: {},
      text: passOf(sumsText(lengths, states)),
    },
    sumType: "u32",
    constants: {},
    constantsOf: () => ({}),
    quantitiesOf: (sums) => kind.quantitiesOf(sums, lengths.length, sites),
    fields: { [kind.fieldName]: kind.field },
    show: {
      name: `${kind.title}: fields`,
      reads: { states: "own" },
      maps: {},
      text: `out.${kind.fieldName} = ${kind.shown};`,
    },
  };
}

const isingKind: Kind = {
  title: "Ising by clusters",
  gap: 2,
  quantitiesOf: ({ agreeing, count_1: up }, axes, sites) => ({
    // Of d·N bonds those whose ends agree have the energy −1, the others 1.
    energy: axes - (2 * agreeing) / sites,
    magnetization: (2 * up) / sites - 1,
  }),
  fieldName: "spin",
  field: { label: "Spin", meaning: "1 or −1", components: 1, dtype: "int8", range: [-1, 1] },
  shown: "2.0 * f32(states()) - 1.0",
};

const pottsKind: Kind = {
  title: "Potts by clusters",
  gap: 1,
  quantitiesOf: ({ agreeing, ...counts }, _, sites) => {
    const all = Object.values(counts);
    return {
      energy: -agreeing / sites,
      magnetization: ((all.length * Math.max(...all)) / sites - 1) / (all.length - 1),
    };
  },
  fieldName: "state",
  field: { label: "State", meaning: "the number of the state, from 0 on", components: 1, dtype: "int8" },
  shown: "f32(states())",
};

export const isingSwendsenWang: LatticeModel = {
  name: "ising-swendsen-wang",
  title: "Ising model, Swendsen–Wang clusters",
  summary: "The Ising model, whose clusters of bound equal neighbours are turned as wholes.",
  parameters: { temperature: temperatureParameter(isingTemperatures) },
  start: "ordered",
  on: (lengths) => planOf(isingKind, lengths, 2),
  ...thermal,
};

export const pottsSwendsenWang: LatticeModel = {
  name: "potts-swendsen-wang",
  title: "Potts model, Swendsen–Wang clusters",
  summary: "The Potts model, whose clusters of bound equal neighbours are drawn anew as wholes.",
  parameters: { states: statesParameter, temperature: temperatureParameter(pottsTemperatures) },
  start: "ordered",
  on: (lengths, { states }) => planOf(pottsKind, lengths, states),
  ...thermal,
};
