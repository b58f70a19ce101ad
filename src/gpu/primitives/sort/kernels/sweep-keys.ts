import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { digits, type KeysShape, sweepSize } from "../shape.ts";
import { arrivalDisorder, rankAgain, rankByArrival } from "./arrival.ts";
import { countMissing, lookBack, sweepOutputs } from "./look-back.ts";
import { each } from "./rank-tile.ts";
import { keysIn } from "./tile.ts";

/** Which of the passes over all bits a kernel is for. */
export interface KeysPass {
  /** Neither end is the caller's, or its words are keys as they are. */
  readonly areOrdered: boolean;
  /** The first pass may leave keys of a digit in any order; the others sort them by the bits below, too, as they read them. */
  readonly isFirst: boolean;
}

/**
 * A pass as that of `sweepDigits` over keys without values, of which those that are equal in all bits may change places: their
 * places among those of their digit are those of one atomic addition a key. Bindings as there.
 */
export function sweepKeys(shape: KeysShape, { areOrdered, isFirst }: KeysPass, silent = 0): string {
  const { threads, items, lanes, window } = shape;
  const size = sweepSize(shape);
  const eachItem = (code: (k: number) => string) => each(items, code);
  const read = (at: string) => (isFirst ? `words[${at}]` : `atomicLoad(&words[${at}])`);
  const write = (at: string, value: string) =>
    isFirst ? `words[${at}] = ${value};` : `atomicStore(&words[${at}], ${value});`;
  const digitOf = (key: string) => `digit_of(${key})`;
  const rows = isFirst ? 1 : shape.rows;
  const row = isFirst ? "0u" : "row";
  const ranks = isFirst ? countInAnyOrder : rankByArrival;
  const entry: Fragment = {
    name: "sweep keys",
    requires: [keysIn(areOrdered)],
    code: /* wgsl */ `
${sweepOutputs(silent)}
const lanes = ${lanes}u;
/** Digit counts of subgroups first, then the tile's keys. All of it is 0 as the kernel begins. */
var<workgroup> words: array<${isFirst ? "u32" : "atomic<u32>"}, ${size}>;
var<workgroup> sums: array<u32, ${threads / lanes}>;
/** Digit counts of a tile in any order; then those of a missing tile; then where the tile's digits go. */
var<workgroup> tallies: array<atomic<u32>, ${digits}>;
var<workgroup> furthest: atomic<u32>;
var<workgroup> disorder: atomic<u32>;
/** The tile that is to be counted, and whether this one is in disorder. */
var<workgroup> found: vec2u;

@compute @workgroup_size(${threads})
fn sweep_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
  @builtin(subgroup_invocation_id) lane: u32,
) {
  let count = read_count(sorting.count_word, sorting.max_count);
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
    ${each(rows, (r) => `count${r} = ${isFirst ? "atomicLoad(&tallies[thread])" : read(`${r * digits}u + thread`)};`)}
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
  ${eachItem((k) => `${isFirst ? `if (at${k} < count) ` : ""}{ ${write(`place${k}`, `key${k}`)} }`)}
  ${isFirst ? "" : arrivalDisorder(shape)}

  // Look-back: tiles before \`at\` are still to be added. Every round adds one of them at least for some digit.
  var at = select(0u, tile, thread < ${digits}u);
  var prefix = 0u;
  var is_disordered = 0u;
  for (var round = 0u; round <= ${digits}u * tile; round++) {${lookBack(window)}
    workgroupBarrier();
    if (thread == 0u) {
      found = vec2u(atomicLoad(&furthest), ${isFirst ? "0u" : "atomicLoad(&disorder)"});
      atomicStore(&furthest, 0u);
    }
    let known = workgroupUniformLoad(&found);
    is_disordered = known.y;
    let wanted = known.x;
    if (wanted == 0u) { break; }${countMissing("tallies", threads, size)}
  }
  ${isFirst ? "" : `if (is_disordered != 0u) { ${rankAgain(shape, digitOf)} }`}
  if (thread < ${digits}u) {
    if (tile > 0u) { post(tile, thread, (prefix + own) | whole_state); }
    atomicStore(&tallies[thread], starts[sorting.pass_number * ${digits}u + thread] + prefix - start);
  }
  workgroupBarrier();
  let valid = min(count - tile_first, ${size}u);
  ${eachItem(
    (k) => /* wgsl */ `{
    let slot = ${k * threads}u + thread;
    let key = ${read("slot")};
    let goal = atomicLoad(&tallies[${digitOf("key")}]) + slot;
    if (slot < valid) { write_key(goal, key); }
  }`,
  )}
}
`,
  };
  return `enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n${linkFragments(entry)}`;
}

/** Keys beyond the last, which would mix with others, are not counted. */
const countInAnyOrder = ({ items }: KeysShape, digitOf: (k: number) => string): string => /* wgsl */ `
  ${each(items, (k) => `if (at${k} < count) { place${k} = atomicAdd(&tallies[${digitOf(k)}], 1u); }`)}
  workgroupBarrier();`;
