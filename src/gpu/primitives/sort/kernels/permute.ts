import { readCount } from "../../../compute/count.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { threads } from "../shape.ts";

const common: Fragment = {
  name: "permutation",
  requires: [readCount(1)],
  code: /* wgsl */ `
struct Permutation {
  count_word: u32,
  max_count: u32,
  order_lead: u32,
  source_lead: u32,
  result_lead: u32,
  words: u32,
}

@group(0) @binding(0) var<uniform> permutation: Permutation;
@group(0) @binding(2) var<storage, read> order: array<u32>;
`,
};

/** result[i] = source[order[i]], elements of several words: a thread a word. */
export const gatherCode = linkFragments({
  name: "gather payloads",
  requires: [common],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read> source: array<u32>;
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${threads})
fn gather(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = read_count(permutation.count_word, permutation.max_count);
  let words = permutation.words;
  let stride = groups.x * ${threads}u;
  for (var at = id.x; at < count * words; at += stride) {
    let origin = order[permutation.order_lead + at / words];
    result[permutation.result_lead + at] = source[permutation.source_lead + origin * words + at % words];
  }
}
`,
});

/** result[order[i]] = i. */
export const invertCode = linkFragments({
  name: "invert a permutation",
  requires: [common],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${threads})
fn invert(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = read_count(permutation.count_word, permutation.max_count);
  let stride = groups.x * ${threads}u;
  for (var at = id.x; at < count; at += stride) {
    result[permutation.result_lead + order[permutation.order_lead + at]] = at;
  }
}
`,
});
