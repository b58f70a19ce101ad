/** Ising models in checkerboard order. */
import { countOf } from "../../hypercube/shape.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { type Colour, colours, type Halves, halvesOf, spinsOf } from "./halves.ts";
import { neighborMaps, neighborsText } from "./text.ts";
import { heatBath, metropolis, type Rule, thresholdsOf, updatePass } from "./update.ts";

/** Streams of random numbers. */
const streams = { update: 0, start: 1 } as const;

/** Sums over the black words, whose sites have an end of every bond: bonds whose ends agree, and spins up of both colours. */
function sumsPass(halves: Halves): Pass {
  const axes = halves.lengths.length;
  return {
    name: "Ising: sums",
    reads: { black: "own", white: "all" },
    writes: ["agreeing", "up"],
    maps: neighborMaps(halves),
    text: `${neighborsText(halves, "black")}
out.agreeing = ${Array.from({ length: 2 * axes }, (_, n) => `countOneBits(used & ~(own ^ neighbor_${n}))`).join(" + ")};
out.up = countOneBits(own) + countOneBits(neighbor_0);`,
  };
}

function startPass(halves: Halves, colour: Colour, isRandom: boolean): Pass {
  const { words, lastBits } = halves;
  const [perRow] = words;
  const last = `select(0xffffffffu, ${2 ** lastBits - 1}u, element % ${perRow}u == ${perRow - 1}u)`;
  const bits = isRandom
    ? `philox(vec4u(element, 0u, ${8 * colours.indexOf(colour)}u, ${streams.start}u), constants.seed).x`
    : "0xffffffffu";
  return {
    name: `Ising: ${isRandom ? "random" : "ordered"} ${colour} sites`,
    reads: {},
    writes: [colour],
    maps: {},
    text: `out.${colour} = ${bits} & ${last};\n${isRandom ? philoxText : ""}`,
  };
}

function planOf(rule: Rule, lengths: readonly number[]): LatticePlan {
  const halves = halvesOf(lengths);
  const axes = lengths.length;
  const sites = countOf(lengths);
  return {
    arrays: colours,
    length: countOf(halves.words),
    starts: {
      ordered: colours.map((colour) => startPass(halves, colour, false)),
      random: colours.map((colour) => startPass(halves, colour, true)),
    },
    sweep: colours.map((colour) => updatePass(rule, halves, colour, streams.update)),
    sums: sumsPass(halves),
    constants: { thresholds: rule.drawn(axes).length },
    constantsOf: ({ temperature }) => ({ thresholds: thresholdsOf(rule, axes, temperature) }),
    quantitiesOf: ({ agreeing, up }) => ({
      // Of d·N bonds those whose ends agree have the energy −1, the others 1.
      energy: axes - (2 * agreeing) / sites,
      magnetization: (2 * up) / sites - 1,
    }),
    sitesOf: (arrays) => spinsOf(halves, arrays),
  };
}

const variance = (meanOfSquares: number, mean: number): number => meanOfSquares - mean * mean;

const isingModel = (name: string, how: string, rule: Rule): LatticeModel => ({
  name,
  summary: `Spins 1 and −1 whose energy is −Σ s_i s_j over neighbours, ${how}, in checkerboard order.`,
  parameters: {
    temperature: { meaning: "k_B T / J", default: 2.269, min: 0.01, max: 1000 },
  },
  start: "ordered",
  on: (lengths) => planOf(rule, lengths),
  observables: {
    energy: ({ energy }: Numbers) => energy,
    energy2: ({ energy }: Numbers) => energy ** 2,
    magnetization: ({ magnetization }: Numbers) => Math.abs(magnetization),
    magnetization2: ({ magnetization }: Numbers) => magnetization ** 2,
    magnetization4: ({ magnetization }: Numbers) => magnetization ** 4,
  },
  measures: {
    energy: { meaning: "energy a site, ⟨E⟩ / N", of: ({ energy }) => energy },
    magnetization: { meaning: "⟨|m|⟩, where m is the mean spin", of: ({ magnetization }) => magnetization },
    heatCapacity: {
      meaning: "(⟨E²⟩ − ⟨E⟩²) / (N T²)",
      of: ({ energy, energy2 }, { sites, parameters: { temperature } }) =>
        (sites * variance(energy2, energy)) / temperature ** 2,
    },
    susceptibility: {
      meaning: "N (⟨m²⟩ − ⟨|m|⟩²) / T",
      of: ({ magnetization, magnetization2 }, { sites, parameters: { temperature } }) =>
        (sites * variance(magnetization2, magnetization)) / temperature,
    },
    binder: {
      meaning: "Binder's cumulant, 1 − ⟨m⁴⟩ / (3 ⟨m²⟩²)",
      of: ({ magnetization2, magnetization4 }) => 1 - magnetization4 / (3 * magnetization2 ** 2),
    },
  },
});

export const ising = isingModel("ising", "by Metropolis' rule", metropolis);
export const isingHeatBath = isingModel("ising-heat-bath", "by heat bath", heatBath);
