import { linkFragments } from "../../../shader/fragment.ts";
import { digitBits, digits, maxPasses } from "../shape.ts";
import { each } from "./rank-tile.ts";
import { keysIn } from "./tile.ts";

/** Threads of the kernels that count digits, add up their counts and clear states. */
export const countThreads = 256;

/** Keys that a thread has in flight where it counts. */
const keysAtATime = 8;
const perKey = (code: (k: number) => string) => each(keysAtATime, code);
const perPass = (code: (p: number) => string) => each(maxPasses, code);

/** Counts all digits of all keys into counts[pass · 256 + digit], which are 0 before: 4 bytes a key. */
export const countAllDigits = linkFragments({
  name: "count all digits",
  requires: [keysIn()],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> own_counts: array<atomic<u32>, ${maxPasses * digits}>;

@compute @workgroup_size(${countThreads})
fn count_all_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
) {
  for (var k = thread; k < ${maxPasses * digits}u; k += ${countThreads}u) { atomicStore(&own_counts[k], 0u); }
  workgroupBarrier();
  let count = read_count(sorting.count_word, sorting.max_count);
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
