import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { digitBits, digits, type FixedShape, sweepSize } from "../shape.ts";
import { arrivalDisorder, rankAgain, rankByArrival } from "./arrival.ts";
import { countMissing, lookBack, stateNumbers } from "./look-back.ts";
import { peersOf } from "./peers.ts";
import { each } from "./rank-tile.ts";
import { keysIn } from "./tile.ts";

/** Which of the passes a kernel is for. */
export interface FixedPass {
  readonly withValues: boolean;
  /** Neither end is the caller's, or its words are keys as they are; and values, if any, are not the elements' indices. */
  readonly areOrdered: boolean;
  /**
   * How the keys of a digit are ordered: as they were, at all times; or in any order, which is enough for the first pass over
   * all bits; or by the bits below, on which the keys read are sorted, which is enough for the others, without values.
   */
  readonly order: "kept" | "any" | "by lower bits";
  /** The digit's first bit, where it is known and the digit is whole. */
  readonly shift?: number;
}

/**
 * A pass as that of `sweepDigits`, where subgroups of 32 lanes or fewer have a known size and run in step, so that each lane reads
 * what another wrote to workgroup memory before, without atomics, which are slower. Bindings as there.
 */
export function fixedSweep(shape: FixedShape, pass: FixedPass, silent = 0): string {
  const { withValues, areOrdered, order, shift } = pass;
  const { threads, items, lanes, window } = shape;
  const size = sweepSize(shape);
  const isAtomic = order === "by lower bits";
  const posts = silent ? `if (tile % ${silent}u == ${silent - 1}u) { return; }` : "";
  const eachItem = (code: (k: number) => string) => each(items, code);
  const read = (at: string) => (isAtomic ? `atomicLoad(&words[${at}])` : `words[${at}]`);
  const write = (at: string, value: string) =>
    isAtomic ? `atomicStore(&words[${at}], ${value});` : `words[${at}] = ${value};`;
  const digitOf = (key: string) =>
    shift === undefined ? `digit_of(${key})` : `extractBits(${key}, ${shift}u, ${digitBits}u)`;
  const rows = order === "any" ? 1 : shape.rows;
  const row = order === "any" ? "0u" : "row";
  const ranks = { kept: rankInStep, any: countInAnyOrder, "by lower bits": rankByArrival }[order];
  const entry: Fragment = {
    name: "sweep digits in step",
    requires: [keysIn(areOrdered)],
    code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
// Writable, as states are in the same buffer.
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<atomic<u32>>;
${
  withValues
    ? `@group(0) @binding(6) var<storage, read> values_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;`
    : ""
}

const lanes = ${lanes}u;
/** Digit counts of subgroups first, then the tile's keys, then its values. All of it is 0 as the kernel begins. */
var<workgroup> words: array<${isAtomic ? "atomic<u32>" : "u32"}, ${size}>;
var<workgroup> sums: array<u32, ${threads / lanes}>;
/** Digit counts of a tile in any order; then those of a missing tile; then where the tile's digits go. */
var<workgroup> tallies: array<atomic<u32>, ${digits}>;
var<workgroup> furthest: atomic<u32>;
var<workgroup> disorder: atomic<u32>;
/** The tile that is to be counted, and whether this one is in disorder. */
var<workgroup> found: vec2u;
${stateNumbers}
fn post(tile: u32, digit: u32, state: u32) {
  ${posts}
  atomicMax(&states[tile * ${digits}u + digit], state);
}

fn write_key(index: u32, key: u32) {
  keys_out[sorting.sorted_lead + index] = word_of(key);
}

@compute @workgroup_size(${threads})
fn sweep_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  let count = read_count(sorting.count_word, sorting.count_most);
  let tile = linear_group(group_id, group_counts);
  let tile_first = tile * ${size}u;
  if (tile_first >= count) { return; }
  let subgroup = thread / lanes;
  let row = subgroup / ${shape.turns}u * ${digits}u;
  let below = (1u << lane) - 1u;

  // Keys beyond the last are the greatest, and stay behind it.
  let first = tile_first + subgroup * ${items * lanes}u + lane;
  ${eachItem((k) => `let at${k} = first + ${k * lanes}u;`)}
  ${eachItem((k) => `let word${k} = read_word(min(at${k}, count - 1u));`)}
  ${eachItem((k) => `let key${k} = select(0xffffffffu, key_of(word${k}), at${k} < count);`)}
  ${eachItem((k) => `var place${k} = 0u;`)}
  ${ranks(shape, (k) => digitOf(`key${k}`))}

  var own = 0u;
  ${each(rows, (r) => `var count${r} = 0u;`)}
  if (thread < ${digits}u) {
    ${each(rows, (r) => `count${r} = ${order === "any" ? "atomicLoad(&tallies[thread])" : read(`${r * digits}u + thread`)};`)}
    own = ${Array.from({ length: rows }, (_, r) => `count${r}`).join(" + ")};
    post(tile, thread, own | select(own_state, whole_state, tile == 0u));
  }
  let through = subgroupInclusiveAdd(own);
  if (lane == lanes - 1u) { sums[subgroup] = through; }
  workgroupBarrier();
  var start = through - own;
  if (thread < ${digits}u) {
    for (var k = 0u; k < subgroup; k++) { start += sums[k]; }
    var running = start;
    ${each(rows, (r) => `${write(`${r * digits}u + thread`, "running")} running += count${r};`)}
  }
  workgroupBarrier();
  ${eachItem((k) => `place${k} += ${read(`${row} + ${digitOf(`key${k}`)}`)};`)}
  workgroupBarrier();
  ${eachItem((k) => `${order === "any" ? `if (at${k} < count) ` : ""}{ ${write(`place${k}`, `key${k}`)} }`)}
  ${withValues && shape.packsPlaces ? packed(items) : ""}
  ${isAtomic ? arrivalDisorder(shape) : ""}

  // Look-back: tiles before \`at\` are still to be added. Every round adds one of them at least for some digit.
  var at = select(0u, tile, thread < ${digits}u);
  var prefix = 0u;
  var is_disordered = 0u;
  for (var round = 0u; round <= ${digits}u * tile; round++) {${lookBack(window)}
    workgroupBarrier();
    if (thread == 0u) {
      found = vec2u(atomicLoad(&furthest), ${isAtomic ? "atomicLoad(&disorder)" : "0u"});
      atomicStore(&furthest, 0u);
    }
    let known = workgroupUniformLoad(&found);
    is_disordered = known.y;
    let wanted = known.x;
    if (wanted == 0u) { break; }${countMissing("tallies", threads, size)}
  }
  ${isAtomic ? `if (is_disordered != 0u) { ${rankAgain(shape, digitOf)} }` : ""}
  if (thread < ${digits}u) {
    if (tile > 0u) { post(tile, thread, (prefix + own) | whole_state); }
    atomicStore(&tallies[thread], starts[sorting.pass_number * ${digits}u + thread] + prefix - start);
  }
  workgroupBarrier();
  let valid = min(count - tile_first, ${size}u);
  ${eachItem(
    (k) => /* wgsl */ `${withValues ? `var goal${k} = 0u;` : ""} {
    let slot = ${k * threads}u + thread;
    let key = ${read("slot")};
    let goal = atomicLoad(&tallies[${digitOf("key")}]) + slot;
    ${withValues ? `goal${k} = goal;` : ""}
    if (slot < valid) { write_key(goal, key); }
  }`,
  )}
  ${withValues ? moveValues(shape, areOrdered) : ""}
}
`,
  };
  return `enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n${linkFragments(entry)}`;
}

/** Lanes with the same digit find each other by ballots; each reads their count before the first of them writes the next. */
const rankInStep = (
  { items, lanes, turns }: FixedShape,
  digitOf: (k: number) => string,
): string => /* wgsl */ `
  ${turns > 1 ? `for (var turn = 0u; turn < ${turns}u; turn++) { if (subgroup % ${turns}u == turn) {` : ""}
  ${each(
    items,
    (k) => /* wgsl */ `{
    let digit = ${digitOf(k)};
    ${peersOf(lanes)}
    let earlier = countOneBits(peers & below);
    let before = words[row + digit];
    if (earlier == 0u) { words[row + digit] = before + countOneBits(peers); }
    place${k} = earlier + before;
  }`,
  )}
  ${turns > 1 ? "} workgroupBarrier(); }" : "workgroupBarrier();"}`;

/** Keys beyond the last, which would mix with others, are not counted. */
const countInAnyOrder = ({ items }: FixedShape, digitOf: (k: number) => string): string => /* wgsl */ `
  ${each(items, (k) => `if (at${k} < count) { place${k} = atomicAdd(&tallies[${digitOf(k)}], 1u); }`)}
  workgroupBarrier();`;

/** Places in halves of a register: what is kept until values follow decides how many workgroups run at a time. */
const packed = (items: number): string =>
  each(
    Math.ceil(items / 2),
    (h) => `let places${h} = place${2 * h}${2 * h + 1 < items ? ` | (place${2 * h + 1} << 16u)` : ""};`,
  );

/** The values follow their keys: by the same places into workgroup memory, and from there to the same goals. */
function moveValues({ threads, items, packsPlaces }: FixedShape, areOrdered: boolean): string {
  const eachItem = (code: (k: number) => string) => each(items, code);
  const packedPlace = (k: number) => (k % 2 ? `(places${k >> 1} >> 16u)` : `(places${k >> 1} & 0xffffu)`);
  const place = (k: number) => (packsPlaces ? packedPlace(k) : `place${k}`);
  const value = (k: number) =>
    areOrdered
      ? `let value${k} = values_in[sorting.values_lead + min(at${k}, count - 1u)];`
      : `var value${k} = at${k};
  if (sorting.iota == 0u && value${k} < count) { value${k} = values_in[sorting.values_lead + value${k}]; }`;
  return /* wgsl */ `
  ${eachItem(value)}
  workgroupBarrier();
  ${eachItem((k) => `words[${place(k)}] = value${k};`)}
  workgroupBarrier();
  ${eachItem(
    (k) => /* wgsl */ `if (${k * threads}u + thread < valid) {
    values_out[sorting.sorted_values_lead + goal${k}] = words[${k * threads}u + thread];
  }`,
  )}`;
}
