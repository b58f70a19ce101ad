/** The Potts model by Metropolis' rule in checkerboard order: four bits a site. */
import { countOf } from "../../hypercube/shape.ts";
import { thresholdOf } from "../chance.ts";
import { brushPasses } from "../checkerboard/brush.ts";
import { type Colour, colours, type Halves, halfArrays, halvesOf } from "../checkerboard/halves.ts";
import { neighborMaps, neighborsText, usedText } from "../checkerboard/neighbors.ts";
import { showPass } from "../checkerboard/show.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { pottsTemperatures, temperatureParameter } from "../temperature.ts";
import { thermal } from "../thermal.ts";
import { statesParameter } from "./states.ts";

const bits = 4;
const perWord = 32 / bits;

/** Streams of random numbers. */
const streams = { update: 0, start: 1 } as const;

const neighborNames = (axes: number): string[] => Array.from({ length: 2 * axes }, (_, n) => `neighbor_${n}`);

/** Blocks of random numbers of a word: one word of them for each of its sites, so that there are two. */
const drawText = (name: string, colour: Colour, first: number, stream: number, sweep: string): string =>
  [0, 1]
    .map((half) => {
      const block = 8 * colours.indexOf(colour) + first + half;
      return `let ${name}_${half} = philox(vec4u(element, ${sweep}, ${block}u, ${stream}u), constants.seed);`;
    })
    .join("\n");

/** The number of a site in the loop over i. */
const drawn = (name: string): string => `select(${name}_0[i & 3u], ${name}_1[i & 3u], i >= 4u)`;

/** `state_at(word, i)`, and `same(state, i, …)`: how many of the neighbours of site i have the state. */
const stateText = (axes: number): string => {
  const names = neighborNames(axes);
  return `
fn state_at(word: u32, i: u32) -> u32 {
  return (word >> (${bits}u * i)) & ${2 ** bits - 1}u;
}
fn same(state: u32, i: u32, ${names.map((name) => `${name}: u32`).join(", ")}) -> u32 {
  return ${names.map((name) => `u32(state_at(${name}, i) == state)`).join(" + ")};
}`;
};

/**
 * Proposes another state for each site of a colour, all alike, and takes it with the probability min(1, exp(−ΔE / T)): the proposal is
 * the (1 + ⌊R·(q − 1) / 2³²⌋)-th state after the site's, and is taken where U < 2³²·exp(−ΔE / T), of words U and R.
 */
function updatePass(halves: Halves, colour: Colour, states: number): Pass {
  const axes = halves.lengths.length;
  const neighbors = neighborNames(axes).join(", ");
  return {
    name: `Potts: ${colour} sites`,
    reads: { [colour]: "own", [colours[1 - colours.indexOf(colour)]]: "all" },
    writes: [colour],
    maps: neighborMaps(halves),
    text: `${neighborsText(halves, colour)}
${drawText("chance", colour, 0, streams.update, "constants.sweep")}
${drawText("proposal", colour, 2, streams.update, "constants.sweep")}
var next = 0u;
for (var i = 0u; i < ${perWord}u; i++) {
  let state = state_at(own, i);
  let after = state + 1u + upper_product(${drawn("proposal")}, ${states - 1}u);
  let other = select(after, after - ${states}u, after >= ${states}u);
  let lost = same(state, i, ${neighbors});
  let won = same(other, i, ${neighbors});
  let is_taken = won >= lost || ${drawn("chance")} < constants.thresholds[lost - won - 1u];
  next |= select(state, other, is_taken) << (${bits}u * i);
}
out.${colour} = next & used;
${stateText(axes)}
${philoxText}`,
  };
}

/** Bonds whose ends agree, from the black words, whose sites have an end of every bond; sites of both colours by their states. */
function sumsPass(halves: Halves, states: number): Pass {
  const axes = halves.lengths.length;
  const counts = Array.from({ length: states }, (_, k) => `count_${k}`);
  return {
    name: "Potts: sums",
    reads: { black: "own", white: "all" },
    writes: ["agreeing", ...counts],
    maps: neighborMaps(halves),
    text: `${neighborsText(halves, "black")}
let sites = countOneBits(used) / ${bits}u;
${["agreeing", ...counts].map((name) => `var ${name} = 0u;`).join("\n")}
for (var i = 0u; i < sites; i++) {
  let state = state_at(own, i);
  let white_state = state_at(neighbor_0, i);
  agreeing += same(state, i, ${neighborNames(axes).join(", ")});
${counts.map((name, k) => `  ${name} += u32(state == ${k}u) + u32(white_state == ${k}u);`).join("\n")}
}
${["agreeing", ...counts].map((name) => `out.${name} = ${name};`).join("\n")}
${stateText(axes)}`,
  };
}

function randomPass(halves: Halves, colour: Colour, states: number): Pass {
  return {
    name: `Potts: random ${colour} sites`,
    reads: {},
    writes: [colour],
    maps: {},
    text: `${usedText(halves)}
${drawText("chance", colour, 0, streams.start, "0u")}
var next = 0u;
for (var i = 0u; i < ${perWord}u; i++) { next |= upper_product(${drawn("chance")}, ${states}u) << (${bits}u * i); }
out.${colour} = next & used;
${philoxText}`,
  };
}

function planOf(lengths: readonly number[], states: number): LatticePlan {
  const halves = halvesOf(lengths, bits);
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: halfArrays,
    length: countOf(halves.words),
    starts: { ordered: [], random: colours.map((colour) => randomPass(halves, colour, states)) },
    sweep: colours.map((colour) => updatePass(halves, colour, states)),
    sums: sumsPass(halves, states),
    sumType: "u32",
    constants: { thresholds: { type: "u32", length: 2 * lengths.length } },
    constantsOf: ({ temperature }) => ({
      thresholds: Array.from({ length: 2 * lengths.length }, (_, k) =>
        thresholdOf(Math.exp(-(k + 1) / temperature)),
      ),
    }),
    quantitiesOf: ({ agreeing, ...counts }) => ({
      energy: -agreeing / sites,
      magnetization: ((states * Math.max(...Object.values(counts))) / sites - 1) / (states - 1),
    }),
    fields: {
      state: {
        label: "State",
        meaning: "the number of the state, from 0 on",
        components: 1,
        dtype: "int8",
        range: [0, states - 1],
      },
    },
    domains: { expression: "state", walls: Array.from({ length: states - 1 }, (_, k) => k + 0.5) },
    show: showPass("Potts: states", halves, { state: "f32(bits)" }),
    brush: {
      min: 0,
      max: states - 1,
      isWhole: true,
      passes: brushPasses("Potts: brush", halves, "u32(constants.value) * 0x11111111u"),
    },
  };
}

export const potts: LatticeModel = {
  name: "potts",
  title: "Potts model",
  summary:
    "Sites in one of q states whose energy is −1 for each pair of neighbours in the same state, by Metropolis' rule in checkerboard order.",
  parameters: { states: statesParameter, temperature: temperatureParameter(pottsTemperatures) },
  start: "ordered",
  on: (lengths, { states }) => planOf(lengths, states),
  ...thermal,
};
