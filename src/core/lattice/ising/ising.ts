/** Ising models in checkerboard order. */
import { countOf } from "../../hypercube/shape.ts";
import { brushPasses } from "../checkerboard/brush.ts";
import { type Colour, colours, type Halves, halfArrays, halvesOf } from "../checkerboard/halves.ts";
import { neighborMaps, neighborsText, usedText } from "../checkerboard/neighbors.ts";
import { showPass } from "../checkerboard/show.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { isingTemperatures, temperatureParameter } from "../temperature.ts";
import { thermal } from "../thermal.ts";
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
  const bits = isRandom
    ? `philox(vec4u(element, 0u, ${8 * colours.indexOf(colour)}u, ${streams.start}u), constants.seed).x`
    : "0xffffffffu";
  return {
    name: `Ising: ${isRandom ? "random" : "ordered"} ${colour} sites`,
    reads: {},
    writes: [colour],
    maps: {},
    text: `${usedText(halves)}
out.${colour} = ${bits} & used;\n${isRandom ? philoxText : ""}`,
  };
}

function planOf(rule: Rule, lengths: readonly number[]): LatticePlan {
  const halves = halvesOf(lengths, 1);
  const axes = lengths.length;
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: halfArrays,
    length: countOf(halves.words),
    starts: {
      ordered: colours.map((colour) => startPass(halves, colour, false)),
      random: colours.map((colour) => startPass(halves, colour, true)),
    },
    sweep: colours.map((colour) => updatePass(rule, halves, colour, streams.update)),
    sums: sumsPass(halves),
    sumType: "u32",
    constants: { thresholds: { type: "u32", length: rule.drawn(axes).length } },
    constantsOf: ({ temperature }) => ({ thresholds: thresholdsOf(rule, axes, temperature) }),
    quantitiesOf: ({ agreeing, up }) => ({
      // Of d·N bonds those whose ends agree have the energy −1, the others 1.
      energy: axes - (2 * agreeing) / sites,
      magnetization: (2 * up) / sites - 1,
    }),
    fields: { spin: { label: "Spin", meaning: "1 or −1", components: 1, dtype: "int8", range: [-1, 1] } },
    domains: { expression: "spin", walls: [0] },
    show: showPass("Ising: spins", halves, { spin: "2.0 * f32(bits) - 1.0" }),
    brush: {
      min: -1,
      max: 1,
      isWhole: true,
      passes: brushPasses("Ising: brush", halves, "select(0u, 0xffffffffu, constants.value > 0.0)"),
    },
  };
}

const isingModel = (name: string, title: string, how: string, rule: Rule): LatticeModel => ({
  name,
  title,
  summary: `Spins 1 and −1 whose energy is −Σ sᵢ sⱼ over neighbours, ${how}, in checkerboard order.`,
  parameters: { temperature: temperatureParameter(isingTemperatures) },
  start: "ordered",
  on: (lengths) => planOf(rule, lengths),
  ...thermal,
});

export const ising = isingModel("ising", "Ising model, Metropolis", "by Metropolis' rule", metropolis);
export const isingHeatBath = isingModel(
  "ising-heat-bath",
  "Ising model, heat bath",
  "by heat bath",
  heatBath,
);
