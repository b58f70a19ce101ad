import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { digits, type SweepShape, sweepSize } from "../shape.ts";
import { countMissing, lookBack, sweepOutputs } from "./look-back.ts";
import { clearRanks, each, rankedTile, rankTile } from "./rank-tile.ts";
import { keysIn } from "./tile.ts";

/** Tiles that look-back reads at a time. */
const window = 4;

/**
 * One pass (OneSweep: Adinets and Merrill 2022): sorts a tile by the digit in workgroup memory, learns by look-back
 * how many keys of each digit come before it, and writes it there: 8 bytes a key, and 8 a value. A state has 30 bits
 * of a count and, above, whether it is a tile's own (1) or that of all up to it (2). A workgroup that waits in vain
 * counts the missing tile itself. Needs subgroups. `areOrdered`: neither end is
 * the caller's, or its words are keys as they are. `silent`: every so manyth tile never posts (for tests).
 */
export function sweepDigits(shape: SweepShape, withValues: boolean, areOrdered: boolean, silent = 0): string {
  const { threads, items } = shape;
  const size = sweepSize(shape);
  const eachItem = (code: (k: number) => string) => each(items, code);
  const entry: Fragment = {
    name: "sweep digits",
    requires: [keysIn(areOrdered), rankedTile(shape)],
    code: /* wgsl */ `
${sweepOutputs(silent)}${
  withValues
    ? `@group(0) @binding(6) var<storage, read> values_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;`
    : ""
}

var<workgroup> offsets: array<u32, ${digits}>;
var<workgroup> recounted: array<atomic<u32>, ${digits}>;
var<workgroup> furthest: atomic<u32>;
var<workgroup> missing: u32;

@compute @workgroup_size(${threads})
fn sweep_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let count = read_count(sorting.count_word, sorting.max_count);
  let tile = linear_group(group_id, group_counts);
  let tile_first = tile * ${size}u;
  if (tile_first >= count) { return; }

  ${clearRanks(shape)}
  if (thread == 0u) { atomicStore(&furthest, 0u); }
  // Keys beyond the last are the greatest, and stay behind it.
  let first = tile_first + (thread - lane) * ${items}u + lane;
  ${eachItem((k) => `let at${k} = first + ${k}u * lanes;`)}
  ${eachItem((k) => `let word${k} = read_word(min(at${k}, count - 1u));`)}
  ${eachItem((k) => `let key${k} = select(0xffffffffu, key_of(word${k}), at${k} < count);`)}
  ${rankTile(shape, (k) => `digit_of(key${k})`, "post(tile, thread, own | select(own_state, whole_state, tile == 0u));")}
  ${eachItem((k) => `atomicStore(&words[place${k}], key${k});`)}

  // Look-back: tiles before \`at\` are still to be added. Every round adds one of them at least for some digit.
  var at = select(0u, tile, thread < ${digits}u);
  var prefix = 0u;
  for (var round = 0u; round < ${digits}u * tile; round++) {${lookBack(window)}
    workgroupBarrier();
    if (thread == 0u) {
      missing = atomicLoad(&furthest);
      atomicStore(&furthest, 0u);
    }
    let wanted = workgroupUniformLoad(&missing);
    if (wanted == 0u) { break; }${countMissing("recounted", threads, size)}
  }
  if (thread < ${digits}u) {
    if (tile > 0u) { post(tile, thread, (prefix + own) | whole_state); }
    offsets[thread] = starts[sorting.pass_number * ${digits}u + thread] + prefix - start;
  }
  workgroupBarrier();
  let valid = min(count - tile_first, ${size}u);
  ${eachItem(
    (k) => /* wgsl */ `${withValues ? `var goal${k} = 0u;` : ""} {
    let slot = ${k * threads}u + thread;
    let key = atomicLoad(&words[slot]);
    let goal = offsets[digit_of(key)] + slot;
    ${withValues ? `goal${k} = goal;` : ""}
    if (slot < valid) { write_key(goal, key); }
  }`,
  )}
  ${withValues ? moveValues(eachItem, threads) : ""}
}
`,
  };
  return `enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n${linkFragments(entry)}`;
}

/** The values follow their keys: by the same places into workgroup memory, and from there to the same goals. */
const moveValues = (
  eachItem: (code: (k: number) => string) => string,
  threads: number,
): string => /* wgsl */ `
  ${eachItem(
    (k) => /* wgsl */ `var value${k} = first + ${k}u * lanes;
  if (sorting.iota == 0u && value${k} < count) { value${k} = values_in[sorting.values_lead + value${k}]; }`,
  )}
  workgroupBarrier();
  ${eachItem((k) => `atomicStore(&words[place${k}], value${k});`)}
  workgroupBarrier();
  ${eachItem(
    (k) => /* wgsl */ `if (${k * threads}u + thread < valid) {
    values_out[sorting.sorted_values_lead + goal${k}] = atomicLoad(&words[${k * threads}u + thread]);
  }`,
  )}`;
