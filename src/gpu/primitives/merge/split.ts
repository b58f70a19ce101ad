import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { orderKeyOf } from "../base/order.ts";
import { splitHead, tileSize } from "./tile.ts";

export const splitThreads = 64;
/** Words of a boundary between tiles, where it says which runs it cuts and where it does not. */
export const splitWords = { plain: 1, withRuns: 3 };

/**
 * For each boundary between tiles of the merged sequence, how many elements of `a` lie before it; then, where runs
 * are asked for, where the runs of equal elements begin that its first elements of `a` and of `b` belong to. The
 * head has how many elements `a` and `b` have. Entry point split_tiles, a thread for each boundary.
 */
export const splitCode = (withRuns: boolean): string => /* wgsl */ `
${linkFragments(orderKeyOf, linearGroup)}
struct Parameters {
  a_word: u32,
  a_most: u32,
  b_word: u32,
  b_most: u32,
  a_lead: u32,
  b_lead: u32,
  type_number: u32,
  boundaries: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> a_counts: array<u32>;
@group(0) @binding(2) var<storage, read> b_counts: array<u32>;
@group(0) @binding(3) var<storage, read> a: array<u32>;
@group(0) @binding(4) var<storage, read> b: array<u32>;
@group(0) @binding(5) var<storage, read_write> splits: array<u32>;

fn a_key(i: u32) -> u32 { return order_key_of(a[parameters.a_lead + i], parameters.type_number); }
fn b_key(i: u32) -> u32 { return order_key_of(b[parameters.b_lead + i], parameters.type_number); }

/** The first of the elements equal to the ith, which is at or before it. */
${["a", "b"]
  .map(
    (name) => /* wgsl */ `
fn ${name}_run(i: u32, n: u32) -> u32 {
  if (i >= n) { return i; }
  let key = ${name}_key(i);
  var low = 0u;
  var high = i;
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (${name}_key(middle) < key) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}`,
  )
  .join("\n")}

@compute @workgroup_size(${splitThreads})
fn split_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let boundary = linear_group(group, groups) * ${splitThreads}u + thread;
  if (boundary >= parameters.boundaries) { return; }
  let n_a = min(a_counts[parameters.a_word], parameters.a_most);
  let n_b = min(b_counts[parameters.b_word], parameters.b_most);
  let d = min(boundary * ${tileSize}u, n_a + n_b);
  var low = d - min(d, n_b);
  var high = min(d, n_a);
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (a_key(middle) <= b_key(d - 1u - middle)) { low = middle + 1u; } else { high = middle; }
  }
  let at = ${splitHead}u + ${withRuns ? splitWords.withRuns : splitWords.plain}u * boundary;
  splits[at] = low;
  ${withRuns ? "splits[at + 1u] = a_run(low, n_a);\n  splits[at + 2u] = b_run(d - low, n_b);" : ""}
  if (boundary == 0u) {
    splits[0] = n_a;
    splits[1] = n_b;
  }
}
`;
