/** The Ising model in the lattice's own order: every second site of a word has a colour. */

import { mapOf } from "../../hypercube/operations.ts";
import { checkLengths, countOf, printShape, stridesOf } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";
import { besideMaps } from "../axes.ts";
import { coordinatesText, insideText } from "../brush.ts";
import { colours } from "../checkerboard/halves.ts";
import type { LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { bits, blockText, checkAxes, decideText, halfOf, isingSites, ones, streams } from "./decide.ts";

const perWord = 32 / bits;
const four = [0, 1, 2, 3];

/** Rows are whole words, which in pairs have eight sites of a colour. Throws BadArgument. */
function checkPlain(lengths: readonly number[]): void {
  checkLengths(lengths);
  checkAxes(lengths);
  const axis = lengths.findIndex((length, k) => length % (k === 0 ? 2 * perWord : 2) !== 0);
  if (axis < 0) return;
  const of = axis === 0 ? 2 * perWord : 2;
  throw badArgument(
    `The lattice ${printShape({ lengths })} has ${lengths[axis]} sites along axis ${axis}.`,
    `Give it a multiple of ${of} there, or take the model ising-crinkled${axis === 0 ? ", which has any even lengths" : ""}.`,
  );
}

/** Maps of words to the words beside them. */
const wordMaps = (words: readonly number[]) => ({
  previous: mapOf(words, [{ kind: "shift", axis: 0, by: 1 }]),
  next: mapOf(words, [{ kind: "shift", axis: 0, by: -1 }]),
  ...besideMaps(words, 1),
});

/** The neighbours of all sites of a word, each where its site is. */
const neighborTexts = (axes: number): string[] => [
  `((own << ${bits}u) | (spins(previous(element)) >> ${32 - bits}u))`,
  `((own >> ${bits}u) | (spins(next(element)) << ${32 - bits}u))`,
  ...Array.from({ length: axes - 1 }, (_, k) => [`below_${k + 1}`, `above_${k + 1}`])
    .flat()
    .map((name) => `spins(${name}(element))`),
];

/** Declares the two words of a block that have the halves of the word's four sites of a colour. */
const pairText = (name: string, block: string): string => `let ${name} = ${block};
  let ${name}_0 = select(${name}.x, ${name}.z, is_second);
  let ${name}_1 = select(${name}.y, ${name}.w, is_second);`;
const pair = (name: string): string[] => [`${name}_0`, `${name}_1`];
const isSecond = "let is_second = (element & 1u) == 1u;";

/** `is_odd` of a row: 0 or 1, as Σ x_i over all axes but the first. Lengths are even, so that ⌊k / stride⌋ is as odd as the coordinate. */
const rowText = (words: readonly number[]): string =>
  `let is_odd = (${[
    "0u",
    ...stridesOf(words)
      .slice(1)
      .map((stride) => `element / ${stride}u`),
  ].join(" + ")}) & 1u;`;

function updatePass(words: readonly number[], step: number): Pass {
  const axes = words.length;
  const [from, to] = step === 0 ? ["even", "odd"] : ["odd", "even"];
  const drawn = (n: string) => `block_of(element >> 1u, 2u * constants.step + ${n}, ${streams.update}u)`;
  return {
    name: "Ising, plain: sites of a colour",
    step,
    arrays: { spins: from, turned: to },
    reads: { spins: "all" },
    writes: ["turned"],
    maps: wordMaps(words),
    text: `let own = spins(element);
let counts = ${neighborTexts(axes).join(" + ")};
${rowText(words)}
let shift = ${bits}u * (is_odd ^ constants.step);
${isSecond}
${pairText("first", drawn("0u"))}
${decideText(
  axes,
  four.map((k) => `(shift + ${2 * bits * k}u)`),
  pair("first"),
  pair("second"),
  pairText("second", drawn("1u")),
)}
out.turned = own ^ flips;
${blockText("constants.sweep")}
${philoxText}`,
  };
}

const startPass = (words: readonly number[], isRandom: boolean): Pass => ({
  name: `Ising, plain: ${isRandom ? "random" : "ordered"} sites`,
  arrays: { spins: "even" },
  reads: {},
  writes: ["spins"],
  maps: {},
  text: isRandom
    ? `${rowText(words)}
${isSecond}
${colours.map((colour, n) => pairText(colour, `block_of(element >> 1u, ${2 * n}u, ${streams.start}u)`)).join("\n")}
let even_sites = ${four.map((k) => `((${halfOf(pair("black"), k)} & 1u) << ${2 * bits * k}u)`).join(" | ")};
let odd_sites = ${four.map((k) => `((${halfOf(pair("white"), k)} & 1u) << ${2 * bits * k}u)`).join(" | ")};
let black_shift = ${bits}u * is_odd;
out.spins = (even_sites << black_shift) | (odd_sites << (${bits}u - black_shift));
${blockText("0u")}
${philoxText}`
    : `out.spins = ${ones};`,
});

function brushPass(lengths: readonly number[]): Pass {
  const [width, ...rows] = lengths;
  const perRow = width / perWord;
  return {
    name: "Ising, plain: brush",
    arrays: { spins: "even" },
    reads: { spins: "own" },
    writes: ["spins"],
    maps: {},
    text: `let row = element / ${perRow}u;
${coordinatesText("row", rows, 1)}
var reached = 0u;
for (var i = 0u; i < ${perWord}u; i++) {
  let x_0 = (element % ${perRow}u) * ${perWord}u + i;
  reached |= select(0u, 1u << (${bits}u * i), ${insideText(lengths)});
}
out.spins = select(spins() & ~reached, spins() | reached, constants.value > 0.0);`,
  };
}

export function plainPlan(lengths: readonly number[]): LatticePlan {
  checkPlain(lengths);
  const [width, ...rows] = lengths;
  const words = [width / perWord, ...rows];
  const axes = lengths.length;
  const above = [
    neighborTexts(axes)[1],
    ...Array.from({ length: axes - 1 }, (_, k) => `spins(above_${k + 1}(element))`),
  ];
  return {
    lengths,
    arrays: { even: "u32", odd: "u32" },
    length: countOf(words),
    starts: { ordered: [startPass(words, false)], random: [startPass(words, true)] },
    sweep: [updatePass(words, 0), updatePass(words, 1)],
    sums: {
      name: "Ising, plain: sums",
      arrays: { spins: "even" },
      reads: { spins: "all" },
      writes: ["agreeing", "up"],
      maps: wordMaps(words),
      text: `let own = spins(element);
out.agreeing = ${above.map((word) => `countOneBits(${ones} & ~(own ^ ${word}))`).join(" + ")};
out.up = countOneBits(own);`,
    },
    ...isingSites(axes, countOf(lengths)),
    show: {
      name: "Ising, plain: spins",
      arrays: { spins: "even" },
      reads: { spins: "all" },
      maps: {},
      text: `let bit = (spins(element / ${perWord}u) >> (${bits}u * (element % ${perWord}u))) & 1u;
out.spin = 2.0 * f32(bit) - 1.0;`,
    },
    brush: { min: -1, max: 1, isWhole: true, passes: [brushPass(lengths)] },
  };
}
