/**
 * A chain of species of which each eats the one before it, by the equations of Lotka and Volterra with diffusion, by explicit steps in
 * time. Two species are predator and prey.
 */
import { countOf } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";
import { coordinatesText, insideText } from "../brush.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import {
  checkStep,
  laplacianText,
  middleText,
  siteMaps,
  siteText,
  startNoise,
  stepParameter,
} from "../stencil.ts";

/** Members of the constants, in their order. */
const members = ["growth", "crowding", "predation", "gain", "death", "diffusion", "step"] as const;

const membersText = members.map((name, k) => `let ${name} = constants.rates[${k}];`).join("\n");

/** Densities of all species lie side by side, site by site: species is the fastest axis of the arrays. */
interface Chain {
  readonly lengths: readonly number[];
  readonly species: number;
}

/** Maps of neighbours, whose axes are numbered from 0 on as the sites' are. */
const mapsOf = ({ lengths, species }: Chain) => {
  const maps = siteMaps([species, ...lengths]);
  return Object.fromEntries(
    lengths.flatMap((_, axis) =>
      ["below", "above"].map((side) => [`${side}_${axis}_of`, maps[`${side}_${axis + 1}_of`]]),
    ),
  );
};

function stepPass(chain: Chain, from: string, to: string): Pass {
  const { lengths, species } = chain;
  return {
    name: "Lotka–Volterra: step",
    arrays: { u: from, next: to },
    reads: { u: "all" },
    writes: ["next"],
    maps: mapsOf(chain),
    text: `${siteText(lengths.length)}
${membersText}
let kind = element % ${species}u;
let own = u(element);
let is_first = kind == 0u;
let eaten_by = select(u(element + 1u), 0.0, kind == ${species - 1}u);
let eats = select(u(element - 1u), 0.0, is_first);
let rate = select(gain * eats - death, growth * (1.0 - crowding * own), is_first) - predation * eaten_by;
out.next = own + step * (diffusion * ${laplacianText("u", "own", lengths.length)} + own * rate);`,
  };
}

/** The first species has the density 1, the others 1/2 in the middle quarter along each axis; or all random ones from 1/2 to 1. */
function startPass({ lengths, species }: Chain, isRandom: boolean): Pass {
  const value = isRandom
    ? `0.5 + 0.5 * ${startNoise(0)}`
    : `select(select(0.0, 0.5, ${middleText(lengths, `(element / ${species}u)`)}), 1.0, element % ${species}u == 0u)`;
  return {
    name: "Lotka–Volterra: start",
    reads: {},
    writes: ["even"],
    maps: {},
    text: `out.even = ${value};\n${isRandom ? philoxText : ""}`,
  };
}

/** Sets the density of the first species. */
const brushPass = ({ lengths, species }: Chain): Pass => ({
  name: "Lotka–Volterra: brush",
  reads: { even: "own" },
  writes: ["even"],
  maps: {},
  text: `let site = element / ${species}u;
${coordinatesText("site", lengths)}
let is_inside = element % ${species}u == 0u && ${insideText(lengths)};
out.even = select(even(), constants.value, is_inside);`,
});

/** Where densities mostly lie: the prey’s is 1 in balance, by the usual parameters, the predators’ 0.9. */
const usualDensities = [0, 2] as const;

const speciesNames = (species: number): string[] =>
  Array.from({ length: species }, (_, k) => `species_${k + 1}`);

function ratesOf(parameters: Numbers, axes: number): number[] {
  const { capacity, conversion, predation, diffusion, step } = parameters;
  checkStep(
    step,
    diffusion === 0 ? Number.POSITIVE_INFINITY : 1 / (2 * axes * diffusion),
    `with diffusion ${diffusion} along ${axes} axes`,
  );
  const { growth, death } = parameters;
  return [growth, 1 / capacity, predation, conversion * predation, death, diffusion, step];
}

function planOf(lengths: readonly number[], species: number): LatticePlan {
  if (lengths.length > 9) {
    throw badArgument(`The lattice has ${lengths.length} axes.`, "Give a lattice of species at most 9.");
  }
  const chain = { lengths, species };
  const sites = countOf(lengths);
  const names = speciesNames(species);
  return {
    lengths,
    arrays: { even: "f32", odd: "f32" },
    length: sites * species,
    starts: { random: [startPass(chain, true)], spot: [startPass(chain, false)] },
    sweep: [stepPass(chain, "even", "odd"), stepPass(chain, "odd", "even")],
    sums: {
      name: "Lotka–Volterra: sums",
      reads: { even: "own" },
      writes: names,
      maps: {},
      text: names
        .map((name, k) => `out.${name} = select(0.0, even(), element % ${species}u == ${k}u);`)
        .join("\n"),
    },
    sumType: "f32",
    constants: { rates: { type: "f32", length: members.length } },
    constantsOf: (parameters) => ({ rates: ratesOf(parameters, lengths.length) }),
    quantitiesOf: (sums) => ({
      total: names.reduce((sum, name) => sum + sums[name], 0) / sites,
      ...Object.fromEntries(names.map((name) => [name, sums[name] / sites])),
    }),
    quantityLabels: { total: "All species" },
    fields: Object.fromEntries(
      names.map((name, k) => [
        name,
        {
          label: `Species ${k + 1}`,
          meaning: k === 0 ? "the density of the prey" : `the density of what eats species ${k}`,
          components: 1,
          dtype: "float32",
          range: usualDensities,
        },
      ]),
    ),
    show: {
      name: "Lotka–Volterra: fields",
      reads: { even: "all" },
      maps: {},
      text: names.map((name, k) => `out.${name} = even(element * ${species}u + ${k}u);`).join("\n"),
    },
    brush: {
      min: usualDensities[0],
      max: usualDensities[1],
      isWhole: false,
      note: "It sets the density of the prey.",
      passes: [brushPass(chain)],
    },
  };
}

export const lotkaVolterra: LatticeModel = {
  name: "lotka-volterra",
  title: "Predators and prey (Lotka–Volterra)",
  summary:
    "A chain of species of which each eats the one before it, predator and prey of two; a sweep is two steps in time.",
  parameters: {
    species: {
      label: "Number of species",
      meaning: "the number of species",
      default: 2,
      min: 1,
      max: 8,
      isFixed: true,
    },
    growth: {
      label: "Growth of the prey",
      meaning: "the rate at which the first species grows",
      default: 1,
      min: 0,
      max: 10,
    },
    capacity: {
      label: "Capacity",
      meaning: "the density at which the first species alone stops growing",
      default: 10,
      min: 0.01,
      max: 1e9,
    },
    predation: {
      label: "Predation",
      meaning: "the rate at which a species is eaten, a density of the next",
      default: 1,
      min: 0,
      max: 10,
    },
    conversion: {
      label: "Conversion",
      meaning: "how much of what is eaten the eater grows by",
      default: 0.5,
      min: 0,
      max: 1,
    },
    death: {
      label: "Death of predators",
      meaning: "the rate at which all species but the first die",
      default: 0.5,
      min: 0,
      max: 10,
    },
    diffusion: {
      label: "Diffusion",
      meaning: "how fast all species spread, in sites² per unit of time",
      unit: "sites² / time",
      default: 0.2,
      min: 0,
      max: 10,
    },
    step: stepParameter(0.02, 1),
  },
  start: "random",
  on: (lengths, { species }) => planOf(lengths, species),
  observables: {
    total: ({ total }) => total,
    prey: ({ species_1 }) => species_1,
    predators: ({ total, species_1 }) => total - species_1,
  },
  measures: {
    prey: { label: "Prey", meaning: "the mean density of the first species", of: ({ prey }) => prey },
    predators: {
      label: "Predators",
      meaning: "the mean density of all others together",
      of: ({ predators }) => predators,
    },
  },
};
