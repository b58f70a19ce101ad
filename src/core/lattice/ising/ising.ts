/** The Ising model by Metropolis' rule, in checkerboard order. */
import { countOf } from "../../hypercube/shape.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { type Colour, colours, type Halves, halvesOf, spinsOf } from "./halves.ts";
import { blocks, countText, drawText, hasCount, neighborMaps, neighborsText } from "./text.ts";

/** Streams of random numbers. */
const streams = { update: 0, start: 1 } as const;

/** U < 2³²·p of a uniform word U has the probability p, to half of 2⁻³². */
const threshold = (p: number): number => Math.min(2 ** 32 - 1, Math.round(2 ** 32 * p));

/** The words neighbor_0 … as their bits agree with the site's own spin. */
const agreeing = (axes: number): string[] =>
  Array.from({ length: 2 * axes }, (_, n) => `~(own ^ neighbor_${n})`);

/**
 * Flips each spin of a colour with the probability min(1, exp(−ΔE / T)), where ΔE = 4·(a − d) if a of its 2d neighbours agree with it.
 * Those of one colour are no neighbours of one another: that all are flipped at once keeps detailed balance for each.
 */
function updatePass(halves: Halves, colour: Colour): Pass {
  const axes = halves.lengths.length;
  const rises = Array.from({ length: axes }, (_, i) => `rise_${i + 1}`);
  const firstBlock = `${8 * colours.indexOf(colour)}u`;
  const draw = (asked: string, cases: readonly string[], from: number, to: number) =>
    `draw(${asked}, ${cases.join(", ")}, ${firstBlock}, ${from}u, ${to}u)`;
  const functions = `${drawText(axes, streams.update)}\n${philoxText}`;
  const begin = `${neighborsText(halves, colour)}
${countText(agreeing(axes))}
${rises.map((rise, i) => `let ${rise} = used & ${hasCount(2 * axes, axes + i + 1)};`).join("\n")}
let asked = ${rises.join(" | ")};`;
  const flip = (drawn: string) => `out.${colour} = own ^ (used & ~asked) ^ ${drawn}.y;`;
  return {
    name: `Ising: ${colour} sites`,
    reads: { [colour]: "own", [colours[1 - colours.indexOf(colour)]]: "all" },
    writes: [colour],
    maps: neighborMaps(halves),
    text: `${begin}\n${flip(draw("asked", rises, 0, blocks.all))}\n${functions}`,
    deferral: {
      first: `${begin}
let drawn = ${draw("asked", rises, 0, blocks.first)};
${flip("drawn")}
out.open = drawn.x;
${rises.map((rise) => `out.${rise} = ${rise};`).join("\n")}
${functions}`,
      carried: ["open", ...rises],
      rest: `out.${colour} = ${colour}() ^ ${draw(
        "open()",
        rises.map((rise) => `${rise}()`),
        blocks.first,
        blocks.all,
      )}.y;
${functions}`,
    },
  };
}

/** Sums over the black words, whose sites have an end of every bond: bonds whose ends agree, and spins up of both colours. */
function sumsPass(halves: Halves): Pass {
  const axes = halves.lengths.length;
  return {
    name: "Ising: sums",
    reads: { black: "own", white: "all" },
    writes: ["agreeing", "up"],
    maps: neighborMaps(halves),
    text: `${neighborsText(halves, "black")}
out.agreeing = ${agreeing(axes)
      .map((word) => `countOneBits(used & ${word})`)
      .join(" + ")};
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

function planOf(lengths: readonly number[]): LatticePlan {
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
    sweep: colours.map((colour) => updatePass(halves, colour)),
    sums: sumsPass(halves),
    constants: { thresholds: axes },
    constantsOf: ({ temperature }) => ({
      thresholds: lengths.map((_, i) => threshold(Math.exp((-4 * (i + 1)) / temperature))),
    }),
    quantitiesOf: ({ agreeing, up }) => ({
      // Of d·N bonds those whose ends agree have the energy −1, the others 1.
      energy: axes - (2 * agreeing) / sites,
      magnetization: (2 * up) / sites - 1,
    }),
    sitesOf: (arrays) => spinsOf(halves, arrays),
  };
}

const variance = (meanOfSquares: number, mean: number): number => meanOfSquares - mean * mean;

export const ising: LatticeModel = {
  name: "ising",
  summary:
    "Spins 1 and −1 whose energy is −Σ s_i s_j over neighbours, by Metropolis' rule in checkerboard order.",
  parameters: {
    temperature: { meaning: "k_B T / J", default: 2.269, min: 0.01, max: 1000 },
  },
  start: "ordered",
  on: planOf,
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
};
