import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { digitBits, type SweepShape, sweepSize } from "../shape.ts";
import { ballotOf, firstLane } from "./rank-ballots.ts";
import { keysIn } from "./tile.ts";

/** Digits of a pass, and the most passes. */
export const digits = 2 ** digitBits;
export const mostPasses = 32 / digitBits;

/** Threads of the kernels that count digits, add up their counts and clear states. */
export const countThreads = 256;

/** Tiles that look-back reads at a time, and how often it does without finding a new one before it counts itself. */
const window = 4;
const patience = 256;

const each = (count: number, code: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => code(k)).join("\n  ");

/** Keys that a thread has in flight where it counts. */
const keysAtATime = 8;
const perKey = (code: (k: number) => string) => each(keysAtATime, code);
const perPass = (code: (p: number) => string) => each(mostPasses, code);

/** Counts all digits of all keys into counts[pass · 256 + digit], which are 0 before: 4 bytes a key. */
export const countAllDigits = linkFragments({
  name: "count all digits",
  requires: [keysIn],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> own_counts: array<atomic<u32>, ${mostPasses * digits}>;

@compute @workgroup_size(${countThreads})
fn count_all_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
) {
  for (var k = thread; k < ${mostPasses * digits}u; k += ${countThreads}u) { atomicStore(&own_counts[k], 0u); }
  workgroupBarrier();
  let count = read_count(sorting.count_word, sorting.count_most);
  let passes = sorting.groups;
  ${perPass((p) => `let shift${p} = min(sorting.shift + ${digitBits * p}u, 31u);`)}
  ${perPass((p) => `let mask${p} = (1u << min(${digitBits}u, max(sorting.last_bit, shift${p}) - shift${p})) - 1u;`)}
  let stride = group_counts.x * group_counts.y * ${countThreads}u;
  let group = linear_group(group_id, group_counts);
  for (var first = group * ${countThreads}u + thread; first < count; first += ${keysAtATime}u * stride) {
    ${perKey((k) => `let at${k} = first + ${k}u * stride;`)}
    ${perKey((k) => `let word${k} = read_word(min(at${k}, count - 1u));`)}
    ${perKey((k) => `let key${k} = key_of(word${k});`)}
    ${perKey(
      (k) => /* wgsl */ `if (at${k} < count) {
      ${perPass((p) => `if (passes > ${p}u) { atomicAdd(&own_counts[${p * digits}u + ((key${k} >> shift${p}) & mask${p})], 1u); }`)}
    }`,
    )}
  }
  workgroupBarrier();
  for (var k = thread; k < sorting.groups * ${digits}u; k += ${countThreads}u) {
    let number = atomicLoad(&own_counts[k]);
    if (number > 0u) { atomicAdd(&counts[k], number); }
  }
}
`,
});

/** Turns each pass's counts into where its digits begin: one workgroup a pass. */
export const scanDigits = /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
var<workgroup> sums: array<u32, ${2 * digits}>;

@compute @workgroup_size(${digits})
fn scan_digits(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group_id: vec3u) {
  let own = counts[group_id.x * ${digits}u + thread];
  var sum = own;
  var at = thread;
  sums[at] = sum;
  workgroupBarrier();
  for (var step = 1u; step < ${digits}u; step *= 2u) {
    if (thread >= step) { sum += sums[at - step]; }
    at ^= ${digits}u;
    sums[at] = sum;
    workgroupBarrier();
  }
  counts[group_id.x * ${digits}u + thread] = sum - own;
}
`;

/** Clears words: the counts, or the states of a pass. */
export const clearWords = linkFragments({
  name: "clear words",
  code: /* wgsl */ `
struct Clearing { words: u32 }
@group(0) @binding(0) var<uniform> clearing: Clearing;
@group(0) @binding(1) var<storage, read_write> cleared: array<u32>;

@compute @workgroup_size(${countThreads})
fn clear_words(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let stride = groups.x * ${countThreads}u;
  for (var k = id.x; k < clearing.words; k += stride) { cleared[k] = 0u; }
}
`,
});

/**
 * One pass (OneSweep: Adinets and Merrill 2022): sorts a tile by the digit in workgroup memory, learns by look-back
 * how many keys of each digit come before it, and writes it there: 8 bytes a key, and 8 a value. A state has 30 bits
 * of a count and, above, whether it is a tile's own (1) or that of all up to it (2). A workgroup that waits in vain
 * counts the missing tile itself. Needs subgroups. `silent`: every so manyth tile never posts (for tests).
 */
export function sweepDigits(shape: SweepShape, withValues: boolean, silent = 0): string {
  const { threads, items, rows, takesTurns } = shape;
  const size = sweepSize(shape);
  const ballot = ballotOf(shape.ballotWords);
  const posts = silent ? `if (tile % ${silent}u == ${silent - 1}u) { return; }` : "";
  const eachItem = (code: (k: number) => string) => each(items, code);
  const masks = rows * digits;
  const peersByMasks = /* wgsl */ `let mask_at = row + digit + ${masks}u;
    atomicOr(&words[mask_at], 1u << lane);
    let present = subgroupBallot(true).x;
    let peers = atomicLoad(&words[mask_at]) & present;`;
  const peersByBallots = /* wgsl */ `var peers = everyone;
    ${each(digitBits, (b) => `{ let bit = (digit >> ${b}u) & 1u; peers &= ${ballot.vote("bit")}; }`)}`;
  const entry: Fragment = {
    name: "sweep digits",
    requires: [keysIn, firstLane],
    code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<atomic<u32>>;
${
  withValues
    ? `@group(0) @binding(6) var<storage, read> values_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_out: array<u32>;`
    : ""
}

/** Digit counts of subgroups first, then the tile's keys, then its values. */
var<workgroup> words: array<atomic<u32>, ${size}>;
var<workgroup> offsets: array<u32, ${digits}>;
var<workgroup> sums: array<u32, 128>;
var<workgroup> recounted: array<atomic<u32>, ${digits}>;
var<workgroup> furthest: atomic<u32>;
var<workgroup> missing: u32;
${takesTurns ? "var<workgroup> sharers: u32;" : ""}

const own_state = 1u << 30u;
const whole_state = 2u << 30u;
const number_bits = own_state - 1u;

fn post(tile: u32, digit: u32, state: u32) {
  ${posts}
  atomicMax(&states[tile * ${digits}u + digit], state);
}

fn write_key(index: u32, key: u32) {
  var word = key;
  if (sorting.decode != 0u) { word = from_ordered(key ^ sorting.complement, sorting.key_type); }
  keys_out[sorting.sorted_lead + index] = word;
}

@compute @workgroup_size(${threads})
fn sweep_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let count = read_count(sorting.count_word, sorting.count_most);
  let tile = linear_group(group_id, group_counts);
  let tile_first = tile * ${size}u;
  if (tile_first >= count) { return; }

  for (var k = thread; k < ${masks * (shape.usesMasks ? 2 : 1)}u; k += ${threads}u) { atomicStore(&words[k], 0u); }
  if (thread == 0u) {
    ${takesTurns ? `sharers = (${threads}u / lanes + ${rows - 1}u) / ${rows}u;` : ""}
    atomicStore(&furthest, 0u);
  }
  // Keys beyond the last are the greatest, and stay behind it.
  let first = tile_first + (thread - lane) * ${items}u + lane;
  ${eachItem((k) => `let at${k} = first + ${k}u * lanes;`)}
  ${eachItem((k) => `let word${k} = read_word(min(at${k}, count - 1u));`)}
  ${eachItem((k) => `let key${k} = select(0xffffffffu, key_of(word${k}), at${k} < count);`)}
  ${takesTurns ? "let turns = workgroupUniformLoad(&sharers);" : "workgroupBarrier();"}

  // Lanes with the same digit find each other, bit by bit or in a mask; the first adds their number to its row's count.
  let subgroup = thread / lanes;
  let row = ${takesTurns ? "(subgroup / turns)" : "subgroup"} * ${digits}u;
  let everyone = ${ballot.all};
  let below = ${ballot.below};
  ${eachItem((k) => `var place${k} = 0u;`)}
  ${takesTurns ? "for (var turn = 0u; turn < turns; turn++) { if (subgroup % turns == turn) {" : ""}
  ${eachItem(
    (k) => /* wgsl */ `{
    let digit = digit_of(key${k});
    ${shape.usesMasks ? peersByMasks : peersByBallots}
    let earlier = ${ballot.count("peers & below")};
    var before = 0u;
    if (earlier == 0u) {
      before = atomicAdd(&words[row + digit], ${ballot.count("peers")});
      ${shape.usesMasks ? "atomicStore(&words[mask_at], 0u);" : ""}
    }
    place${k} = earlier + subgroupShuffle(before, ${ballot.first});
  }`,
  )}
  ${takesTurns ? "} workgroupBarrier(); }" : "workgroupBarrier();"}

  var own = 0u;
  if (thread < ${digits}u) {
    ${each(rows, (r) => `own += atomicLoad(&words[${r * digits}u + thread]);`)}
    post(tile, thread, own | select(own_state, whole_state, tile == 0u));
  }
  let through = subgroupInclusiveAdd(own);
  if (lane == lanes - 1u) { sums[subgroup] = through; }
  workgroupBarrier();
  var start = through - own;
  if (thread < ${digits}u) {
    for (var k = 0u; k < subgroup; k++) { start += sums[k]; }
    var running = start;
    ${each(
      rows,
      (r) => /* wgsl */ `{
      let number = atomicLoad(&words[${r * digits}u + thread]);
      atomicStore(&words[${r * digits}u + thread], running);
      running += number;
    }`,
    )}
  }
  workgroupBarrier();
  ${eachItem((k) => `place${k} += atomicLoad(&words[row + digit_of(key${k})]);`)}
  workgroupBarrier();
  ${eachItem((k) => `atomicStore(&words[place${k}], key${k});`)}

  // Look-back: tiles before \`at\` are still to be added. Every round adds one of them at least for some digit.
  var at = select(0u, tile, thread < ${digits}u);
  var prefix = 0u;
  for (var round = 0u; round < ${digits}u * tile; round++) {
    var waited = 0u;
    while (at > 0u && waited < ${patience}u) {
      ${each(window, (k) => `let state${k} = atomicLoad(&states[(max(at, ${k + 1}u) - ${k + 1}u) * ${digits}u + thread]);`)}
      var is_on = true;
      ${each(
        window,
        (k) => /* wgsl */ `if (is_on && at > 0u) {
        if (state${k} == 0u) {
          is_on = false;
          ${k === 0 ? "waited++;" : ""}
        } else {
          prefix += state${k} & number_bits;
          at = select(at - 1u, 0u, state${k} >= whole_state);
          ${k === 0 ? "waited = 0u;" : ""}
        }
      }`,
      )}
    }
    if (at > 0u) { atomicMax(&furthest, at); }
    workgroupBarrier();
    if (thread == 0u) {
      missing = atomicLoad(&furthest);
      atomicStore(&furthest, 0u);
    }
    let wanted = workgroupUniformLoad(&missing);
    if (wanted == 0u) { break; }
    for (var k = thread; k < ${digits}u; k += ${threads}u) { atomicStore(&recounted[k], 0u); }
    workgroupBarrier();
    for (var k = thread; k < ${size}u; k += ${threads}u) {
      atomicAdd(&recounted[digit_of(read_key((wanted - 1u) * ${size}u + k))], 1u);
    }
    workgroupBarrier();
    if (at == wanted) {
      let number = atomicLoad(&recounted[thread]);
      prefix += number;
      atomicMax(&states[(wanted - 1u) * ${digits}u + thread], number | select(own_state, whole_state, wanted == 1u));
      at--;
    }
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
