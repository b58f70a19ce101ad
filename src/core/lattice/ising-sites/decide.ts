/**
 * Kernel text of Ising models with four bits a site, eight sites a word: a count of up to 15 neighbours that are up has room beside each
 * spin.
 *
 * A site of a colour has the number j = ⌊x_0 / 2⌋ in its row. Of its uniform number of 32 bits the upper 16 are half j mod 8 of the block of random
 * numbers 2·colour, the lower 16 that of the block 2·colour + 1, both of the group ⌊j / 8⌋ of the row: half k is the lower half of word ⌊k / 2⌋ if k
 * is even, else the upper one. Nearly always the upper bits decide, so that a block is enough for eight sites.
 */
import { badArgument } from "../../primitives/checks.ts";
import { metropolis, thresholdsOf } from "../ising/update.ts";
import type { LatticeField, LatticePlan } from "../model.ts";

/** Bits of a site. */
export const bits = 4;

/** Streams of random numbers. */
export const streams = { update: 0, start: 1 } as const;

/** One spin of each of a word's eight sites. */
export const ones = "0x11111111u";

const mostAxes = 7;

/** Throws BadArgument where a site has more neighbours than its bits can count. */
export function checkAxes(lengths: readonly number[]): void {
  if (lengths.length <= mostAxes) return;
  throw badArgument(
    `The lattice has ${lengths.length} axes, and four bits a site count at most 15 neighbours.`,
    `Give it at most ${mostAxes} axes, or take the model ising.`,
  );
}

/** `block_of(group, number, stream)` of a colour, beside `philoxText`. */
export const blockText = (sweep: string): string => `
fn block_of(group: u32, number: u32, stream: u32) -> vec4u {
  return philox(vec4u(group, ${sweep}, number, stream), constants.seed);
}`;

/** Half k of the words that expressions give: 16 bits. */
export const halfOf = (words: readonly string[], k: number): string =>
  k % 2 === 0 ? `(${words[k >> 1]} & 0xffffu)` : `(${words[k >> 1]} >> 16u)`;

/**
 * Statements that set `flips`, the spins of `own` that flip, where `counts` has each site's neighbours that are up. Site k begins at the bit
 * `places[k]`; the words of `first` and `second` have the halves that the sites get, in this order, and `load` declares those of `second`.
 */
export function decideText(
  axes: number,
  places: readonly string[],
  first: readonly string[],
  second: readonly string[],
  load: string,
): string {
  const cases = Array.from({ length: axes }, (_, n) => n);
  // Who agrees with no more than half of the neighbours flips: all upper bits are below 2¹⁶.
  const chosen = (name: string, k: number, otherwise: string) =>
    cases.reduce(
      (other, n) => `select(${other}, ${name}_${n}, agreeing_${k} == ${axes + n + 1}u)`,
      otherwise,
    );
  return `${cases
    .map(
      (n) => `let limit_${n} = constants.thresholds[${n}] >> 16u;
let rest_${n} = constants.thresholds[${n}] & 0xffffu;`,
    )
    .join("\n")}
var flips = 0u;
var open = 0u;
${places
  .map(
    (place, k) => `let up_${k} = (counts >> ${place}) & 15u;
let agreeing_${k} = select(${2 * axes}u - up_${k}, up_${k}, ((own >> ${place}) & 1u) == 1u);
let chosen_${k} = ${chosen("limit", k, "65536u")};
let drawn_${k} = ${halfOf(first, k)};
flips |= u32(drawn_${k} < chosen_${k}) << ${place};
open |= u32(drawn_${k} == chosen_${k}) << ${place};`,
  )
  .join("\n")}
if (open != 0u) {
  ${load}
${places
  .map(
    (place, k) =>
      `  flips |= ((open >> ${place}) & u32(${halfOf(second, k)} < ${chosen("rest", k, "0u")})) << ${place};`,
  )
  .join("\n")}
}`;
}

/** What the plans of both layouts have in common. */
export const isingSites = (
  axes: number,
  sites: number,
): Pick<LatticePlan, "sumType" | "constants" | "constantsOf" | "quantitiesOf" | "domains"> & {
  readonly fields: { readonly spin: LatticeField };
} => ({
  sumType: "u32",
  constants: { thresholds: { type: "u32", length: axes } },
  constantsOf: ({ temperature }) => ({ thresholds: thresholdsOf(metropolis, axes, temperature) }),
  quantitiesOf: ({ agreeing, up }) => ({
    // Of d·N bonds those whose ends agree have the energy −1, the others 1.
    energy: axes - (2 * agreeing) / sites,
    magnetization: (2 * up) / sites - 1,
  }),
  domains: { expression: "spin", walls: [0] },
  fields: { spin: { label: "Spin", meaning: "1 or −1", components: 1, dtype: "int8", range: [-1, 1] } },
});
