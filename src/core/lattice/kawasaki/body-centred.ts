/**
 * Exchange on the body-centred cubic lattice, or what it is in d dimensions: a cell x has a corner at x and a centre at x + (1/2, …, 1/2), and a
 * centre's 2^d neighbours are the corners x + δ, of all δ in {0, 1}^d.
 */
import { checkLengths, countOf } from "../../hypercube/shape.ts";
import { badArgument } from "../../primitives/checks.ts";
import { besideMaps, quotientTexts } from "../axes.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { bodyCentredTemperatures } from "../temperature.ts";
import {
  checkMultiples,
  exchangeBrush,
  exchangeConstants,
  exchangeModel,
  exchangeText,
  streams,
} from "./exchange.ts";
import { shuffleText } from "./shuffle.ts";

/** A site has 2^d neighbours, and a sweep as many times more passes. */
const maxAxes = 6;

/**
 * `ahead(at, by)` and `behind(at, by)`: the elements at δ and −δ, δ_i being bit i of `by`; how many neighbours of a corner and of a centre
 * are up.
 */
const neighborText = (axes: number): string => {
  const moved = (name: string, map: string) => `
fn ${name}(cell: u32, by: u32) -> u32 {
  var there = cell;
${Array.from({ length: axes }, (_, axis) => `  there = select(there, ${map}_${axis}(there), (by & ${1 << axis}u) != 0u);`).join("\n")}
  return there;
}`;
  const around = (name: string, array: string, move: string) => `
fn ${name}(cell: u32) -> u32 {
  var count = 0u;
  for (var by = 0u; by < ${1 << axes}u; by++) { count += ${array}(${move}(cell, by)); }
  return count;
}`;
  return [
    moved("ahead", "above"),
    moved("behind", "below"),
    around("up_around_corner", "centre", "behind"),
    around("up_around_centre", "corner", "ahead"),
  ].join("");
};

/**
 * Exchanges, or not, centres y with corners y + δ where Σ σ_i y_i mod m = c, with σ_i = 1 − 2δ_i. If an end of such a pair is beside
 * one of another, their places differ by σ_i·{0, 1} along all axes, so that their sums differ by 1 to d, which is no multiple of m > d. The
 * step is m·δ + c, bit i of δ being δ_i.
 */
function exchangePass(lengths: readonly number[], classes: number, step: number): Pass {
  const [from, to] = step % 2 === 0 ? ["even", "odd"] : ["odd", "even"];
  const phases = quotientTexts(lengths, "cell").map(
    (text, axis) => `select(${text}, 0u - ${text}, (by & ${1 << axis}u) != 0u)`,
  );
  return {
    name: "Kawasaki, body-centred: pairs",
    step,
    arrays: {
      corner: `corner_${from}`,
      centre: `centre_${from}`,
      next_corner: `corner_${to}`,
      next_centre: `centre_${to}`,
    },
    reads: { corner: "all", centre: "all" },
    writes: ["next_corner", "next_centre"],
    maps: besideMaps(lengths),
    text: `let by = constants.step / ${classes}u;
out.next_corner = corner(element) ^ exchange(behind(element, by), by);
out.next_centre = centre(element) ^ exchange(element, by);
// 1 if the centre of the cell is exchanged with an unlike corner.
fn exchange(cell: u32, by: u32) -> u32 {
  let is_drawn = ((${phases.join(" + ")}) & ${classes - 1}u) == constants.step % ${classes}u;
  let beside = ahead(cell, by);
  let is_up = centre(cell) == 1u;
  if (!is_drawn || (corner(beside) == 1u) == is_up) { return 0u; }
  let around_centre = up_around_centre(cell);
  let around_corner = up_around_corner(beside);
  let random = philox(vec4u(cell, constants.sweep, by, ${streams.exchange}u), constants.seed).x;
  return u32(is_exchanged(
    select(around_corner, around_centre, is_up),
    select(around_centre, around_corner, is_up),
    random,
  ));
}
${exchangeText(1 << lengths.length)}
${neighborText(lengths.length)}
${philoxText}`,
  };
}

function planOf(lengths: readonly number[]): LatticePlan {
  checkLengths(lengths);
  const axes = lengths.length;
  if (axes > maxAxes) {
    throw badArgument(
      `The body-centred lattice has ${axes} axes, and 2^${axes} neighbours a site.`,
      `Give it at most ${maxAxes} axes.`,
    );
  }
  // Both sites of a cell have a number.
  checkLengths([2, ...lengths]);
  const classes = 2 ** Math.ceil(Math.log2(axes + 1));
  checkMultiples(lengths, classes, "so that pairs that are exchanged at once would meet across its border");
  const cells = countOf(lengths);
  const neighbors = 1 << axes;
  const arrays = { corner: "corner_even", centre: "centre_even" };
  const start = (name: string, corner: string, centre: string, more = ""): Pass => ({
    name: `Kawasaki, body-centred: ${name} start`,
    arrays,
    reads: {},
    writes: ["corner", "centre"],
    maps: {},
    text: `out.corner = u32(${corner} < constants.up[0]);
out.centre = u32(${centre} < constants.up[0]);${more}`,
  });
  return {
    lengths,
    arrays: { corner_even: "u32", centre_even: "u32", corner_odd: "u32", centre_odd: "u32" },
    length: cells,
    starts: {
      random: [
        start(
          "random",
          "shuffled(2u * element)",
          "shuffled(2u * element + 1u)",
          shuffleText(2 * cells, streams.start),
        ),
      ],
      separated: [start("separated", "2u * element", "2u * element + 1u")],
    },
    sweep: Array.from({ length: neighbors * classes }, (_, step) => exchangePass(lengths, classes, step)),
    sums: {
      name: "Kawasaki, body-centred: sums",
      arrays,
      reads: { corner: "all", centre: "all" },
      writes: ["agreeing", "up"],
      maps: besideMaps(lengths),
      text: `let own = centre(element);
let around = up_around_centre(element);
out.agreeing = select(${neighbors}u - around, around, own == 1u);
out.up = own + corner(element);
${neighborText(axes)}`,
    },
    sumType: "u32",
    ...exchangeConstants(2 * cells, neighbors),
    quantitiesOf: ({ agreeing, up }) => ({
      // Of 2^d bonds a cell those whose ends agree have the energy −1, the others 1; a cell has two sites.
      energy: neighbors / 2 - agreeing / cells,
      magnetization: up / cells - 1,
    }),
    fields: {
      corner: {
        label: "Spin at the corner",
        meaning: "the spin at a cell's corner, 1 or −1",
        components: 1,
        dtype: "int8",
        range: [-1, 1],
      },
      centre: {
        label: "Spin at the centre",
        meaning: "the spin at its centre, 1 or −1",
        components: 1,
        dtype: "int8",
        range: [-1, 1],
      },
    },
    domains: { expression: "corner", walls: [0] },
    show: {
      name: "Kawasaki, body-centred: spins",
      arrays: { corners: "corner_even", centres: "centre_even" },
      reads: { corners: "own", centres: "own" },
      maps: {},
      text: "out.corner = 2.0 * f32(corners()) - 1.0; out.centre = 2.0 * f32(centres()) - 1.0;",
    },
    brush: exchangeBrush("Kawasaki, body-centred: brush", lengths, ["corner_even", "centre_even"]),
  };
}

export const kawasakiBodyCentred: LatticeModel = exchangeModel(
  {
    name: "kawasaki-bcc",
    title: "Conserved Ising model, body-centred cubic (Kawasaki)",
    summary:
      "The Ising model whose neighbours exchange their spins, on the body-centred cubic lattice: cells have a corner and a centre with 2^d neighbours each.",
    on: planOf,
  },
  2,
  bodyCentredTemperatures,
);
