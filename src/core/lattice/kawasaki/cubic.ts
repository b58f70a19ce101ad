/** Exchange on the simple cubic lattice, a spin an element. */
import { checkLengths, countOf } from "../../hypercube/shape.ts";
import { besideMaps, besideNames, quotientTexts } from "../axes.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { kawasakiTemperatures } from "../temperature.ts";
import {
  checkMultiples,
  exchangeBrush,
  exchangeConstants,
  exchangeModel,
  exchangeText,
  streams,
} from "./exchange.ts";
import { shuffleText } from "./shuffle.ts";

/** Classes of the pairs along an axis: a power of two that divides all lengths. */
const classes = 4;

/** `up_around(at)`: how many neighbours of an element are up. */
const aroundText = (lengths: readonly number[]): string => `
fn up_around(site: u32) -> u32 {
  return ${besideNames(lengths.length)
    .map((name) => `spins(${name}(site))`)
    .join(" + ")};
}`;

/**
 * Exchanges, or not, the ends of the pairs along an axis that begin at x with (x_axis + 2·Σ x_b over the other axes) mod 4 = step. No
 * end of such a pair is beside an end of another, so that all may be exchanged at once. Both ends find out by themselves whether they are, since
 * the random number is that of the pair's first end.
 */
function exchangePass(lengths: readonly number[], axis: number, step: number): Pass {
  const [from, to] = step % 2 === 0 ? ["even", "odd"] : ["odd", "even"];
  const quotients = quotientTexts(lengths);
  const others = quotients.filter((_, other) => other !== axis).map((text) => ` + 2u * (${text})`);
  return {
    name: `Kawasaki: pairs along axis ${axis}`,
    step,
    arrays: { spins: from, next: to },
    reads: { spins: "all" },
    writes: ["next"],
    maps: besideMaps(lengths),
    text: `let phase = (${quotients[axis]}${others.join("")} - constants.step) & ${classes - 1}u;
let own = spins(element);
out.next = own;
if (phase > 1u) { return; }
let is_first = phase == 0u;
let partner = select(below_${axis}(element), above_${axis}(element), is_first);
let other = spins(partner);
if (own == other) { return; }
let is_up = own == 1u;
let around_up = up_around(select(partner, element, is_up));
let around_down = up_around(select(element, partner, is_up));
let first = select(partner, element, is_first);
let random = philox(vec4u(first, constants.sweep, ${axis}u, ${streams.exchange}u), constants.seed).x;
if (is_exchanged(around_up, around_down, random)) { out.next = other; }
${exchangeText(2 * lengths.length)}
${aroundText(lengths)}
${philoxText}`,
  };
}

function planOf(lengths: readonly number[]): LatticePlan {
  checkLengths(lengths);
  checkMultiples(lengths, classes, "so that pairs that are exchanged at once would meet across its border");
  const axes = lengths.length;
  const sites = countOf(lengths);
  const start = (name: string, place: string, more = ""): Pass => ({
    name: `Kawasaki: ${name} start`,
    reads: {},
    writes: ["even"],
    maps: {},
    text: `out.even = u32(${place} < constants.up[0]);${more}`,
  });
  return {
    lengths,
    arrays: { even: "u32", odd: "u32" },
    length: sites,
    reach: 2,
    starts: {
      random: [start("random", "shuffled(element)", shuffleText(sites, streams.start))],
      separated: [start("separated", "element")],
    },
    sweep: lengths.flatMap((_, axis) =>
      Array.from({ length: classes }, (_, step) => exchangePass(lengths, axis, step)),
    ),
    sums: {
      name: "Kawasaki: sums",
      arrays: { spins: "even" },
      reads: { spins: "all" },
      writes: ["agreeing", "up"],
      maps: besideMaps(lengths),
      text: `let own = spins(element);
out.agreeing = ${lengths.map((_, axis) => `u32(spins(above_${axis}(element)) == own)`).join(" + ")};
out.up = own;`,
    },
    sumType: "u32",
    ...exchangeConstants(sites, 2 * axes),
    quantitiesOf: ({ agreeing, up }) => ({
      // Of d·N bonds those whose ends agree have the energy −1, the others 1.
      energy: axes - (2 * agreeing) / sites,
      magnetization: (2 * up) / sites - 1,
    }),
    fields: { spin: { label: "Spin", meaning: "1 or −1", components: 1, dtype: "int8", range: [-1, 1] } },
    domains: { expression: "spin", walls: [0] },
    show: {
      name: "Kawasaki: spins",
      arrays: { spins: "even" },
      reads: { spins: "own" },
      maps: {},
      text: "out.spin = 2.0 * f32(spins()) - 1.0;",
    },
    brush: exchangeBrush("Kawasaki: brush", lengths, ["even"]),
  };
}

export const kawasaki: LatticeModel = exchangeModel(
  {
    name: "kawasaki",
    title: "Conserved Ising model (Kawasaki)",
    summary:
      "The Ising model whose neighbours exchange their spins by heat bath, so that the magnetization is conserved.",
    on: planOf,
  },
  1,
  kawasakiTemperatures,
);
