/** A half sweep of an Ising model: the spins of one colour, which are no neighbours of one another, are drawn anew all at once. */

import { thresholdOf } from "../chance.ts";
import { type Colour, colours, type Halves } from "../checkerboard/halves.ts";
import { neighborMaps, neighborsText } from "../checkerboard/neighbors.ts";
import type { Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { blocks, countText, drawText, hasCount } from "./text.ts";

/** How spins are drawn. a is a sum of 2d bits that is taken for each site, from 0 to 2d. */
export interface Rule {
  readonly name: string;
  /** Words whose bits are summed: expressions of `own` and `neighbor_n`. */
  readonly counted: (neighbor: string) => string;
  /** The values of a for which a number is drawn, of d axes. */
  readonly drawn: (axes: number) => readonly number[];
  /** The words `base`, to which the bits are added (modulo 2) whose number is below its threshold, as an expression of `asked`, the bits drawn for. */
  readonly base: string;
  /** The probability that the number is below its threshold. */
  readonly probability: (a: number, axes: number, temperature: number) => number;
}

/** Flips with the probability min(1, exp(−ΔE / T)), where ΔE = 4·(a − d) if a of the 2d neighbours agree with the spin. */
export const metropolis: Rule = {
  name: "Ising",
  counted: (neighbor) => `~(own ^ ${neighbor})`,
  drawn: (axes) => Array.from({ length: axes }, (_, i) => axes + i + 1),
  base: "own ^ (used & ~asked)",
  probability: (a, axes, temperature) => Math.exp((-4 * (a - axes)) / temperature),
};

/** Is up with the probability that it has in the heat bath of its neighbours, of which a are up. */
export const heatBath: Rule = {
  name: "Ising by heat bath",
  counted: (neighbor) => neighbor,
  drawn: (axes) => Array.from({ length: 2 * axes + 1 }, (_, a) => a),
  base: "0u",
  probability: (a, axes, temperature) => 1 / (1 + Math.exp((-4 * (a - axes)) / temperature)),
};

export const thresholdsOf = ({ drawn, probability }: Rule, axes: number, temperature: number): number[] =>
  drawn(axes).map((a) => thresholdOf(probability(a, axes, temperature)));

/** The pass for a colour, whose numbers are of a stream. */
export function updatePass(rule: Rule, halves: Halves, colour: Colour, stream: number): Pass {
  const axes = halves.lengths.length;
  const cases = rule.drawn(axes).map((a) => ({ name: `case_${a}`, text: `used & ${hasCount(2 * axes, a)}` }));
  const names = cases.map(({ name }) => name);
  const firstBlock = `${8 * colours.indexOf(colour)}u`;
  const draw = (asked: string, given: readonly string[], from: number, to: number) =>
    `draw(${asked}, ${given.join(", ")}, ${firstBlock}, ${from}u, ${to}u)`;
  const functions = `${drawText(cases.length, stream)}\n${philoxText}`;
  const counted = Array.from({ length: 2 * axes }, (_, n) => rule.counted(`neighbor_${n}`));
  const begin = `${neighborsText(halves, colour)}
${countText(counted)}
${cases.map(({ name, text }) => `let ${name} = ${text};`).join("\n")}
let asked = ${names.join(" | ")};`;
  const set = (drawn: string) => `out.${colour} = (${rule.base}) ^ ${drawn}.y;`;
  return {
    name: `${rule.name}: ${colour} sites`,
    reads: { [colour]: "own", [colours[1 - colours.indexOf(colour)]]: "all" },
    writes: [colour],
    maps: neighborMaps(halves),
    text: `${begin}\n${set(draw("asked", names, 0, blocks.all))}\n${functions}`,
    deferral: {
      first: `${begin}
let drawn = ${draw("asked", names, 0, blocks.first)};
${set("drawn")}
out.open = drawn.x;
${names.map((name) => `out.${name} = ${name};`).join("\n")}
${functions}`,
      carried: ["open", ...names],
      rest: `out.${colour} = ${colour}() ^ ${draw(
        "open()",
        names.map((name) => `${name}()`),
        blocks.first,
        blocks.all,
      )}.y;
${functions}`,
    },
  };
}
