import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { orderKeyOf } from "../base/order.ts";

export const searchThreads = 256;
/** Needles that a thread has in flight, which hide each other's latency. */
export const needlesInFlight = 4;
/** Pivots in workgroup memory at most, where each workgroup has many needles, and where it has few. */
export const maxStaged = { many: 4095, few: 511 };

const declarations = /* wgsl */ `
${linkFragments(orderKeyOf, linearGroup)}
struct Parameters {
  count_word: u32,
  max_count: u32,
  sorted_word: u32,
  max_sorted: u32,
  needles_lead: u32,
  sorted_lead: u32,
  output_lead: u32,
  max_staged: u32,
  type_number: u32,
  is_upper: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sorted_count: array<u32>;
@group(0) @binding(2) var<storage, read> sorted: array<u32>;

fn read_sorted_count() -> u32 { return min(sorted_count[parameters.sorted_word], parameters.max_sorted); }

fn order_key(word: u32) -> u32 { return order_key_of(word, parameters.type_number); }

fn element(i: u32) -> u32 { return order_key(sorted[parameters.sorted_lead + i]); }

/** Words of a level of the index. */
fn level_words(level: u32) -> u32 { return ((parameters.max_sorted >> (3u * level)) + 7u) & ~7u; }
`;

/** Words of the index of so many elements. */
export function indexWords(max: number): number {
  let words = 8;
  for (let level = max >>> 3; level > 0; level >>>= 3) words += Math.ceil(level / 8) * 8;
  return words;
}

/**
 * Levels of a tree of eighths over the sorted elements, one after the other: level k holds the keys of elements
 * 8ᵏ − 1, 2 · 8ᵏ − 1, … so that what a search looks at next lies within 32 bytes. Entry point index_sorted; a thread
 * for each eighth element.
 */
export const indexCode = /* wgsl */ `${declarations}
@group(0) @binding(3) var<storage, read_write> tree: array<u32>;

@compute @workgroup_size(${searchThreads})
fn index_sorted(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let i = linear_group(group, groups) * ${searchThreads}u + thread;
  if (i >= read_sorted_count() >> 3u) { return; }
  let key = element(8u * i + 7u);
  var place = i;
  var offset = 0u;
  for (var level = 1u; level < 11u; level++) {
    tree[offset + place] = key;
    if ((place & 7u) != 7u) { return; }
    place >>= 3u;
    offset += level_words(level);
  }
}
`;

/**
 * Binary search without branches: the same number of steps for every needle, about log₂ n. The first steps are on
 * pivots in workgroup memory, the others three at a time within an eighth of what was left: of the tree where there
 * is one, or of the elements themselves. Entry point search.
 */
export function searchCode(isIndexed: boolean): string {
  const each = (code: (k: number) => string, join = ", ") =>
    Array.from({ length: needlesInFlight }, (_, k) => code(k)).join(join);
  const part = "xyzw";
  return /* wgsl */ `${declarations}
@group(0) @binding(4) var<storage, read> needle_count: array<u32>;
@group(0) @binding(5) var<storage, read> needles: array<u32>;
@group(0) @binding(6) var<storage, read_write> positions: array<u32>;
${isIndexed ? "@group(0) @binding(7) var<storage, read> tree: array<u32>;" : ""}

fn pivot(level: u32, offset: u32, i: u32) -> u32 {
  ${isIndexed ? "if (level > 0u) { return tree[offset + i]; }" : ""}
  return element(((i + 1u) << (3u * level)) - 1u);
}

fn pivots(level: u32, offset: u32, i: vec4u) -> vec4u {
  return vec4u(${each((k) => `pivot(level, offset, i.${part[k]})`)});
}

/** Whether what has these keys comes before needles: lies below them, or not above. */
fn come_before(keys: vec4u, x: vec4u) -> vec4<bool> {
  return (keys < x) | ((keys == x) & vec4<bool>(parameters.is_upper != 0u));
}

var<workgroup> staged: array<u32, ${maxStaged.many + 1}>;

@compute @workgroup_size(${searchThreads})
fn search(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = read_sorted_count();
  let m = min(needle_count[parameters.count_word], parameters.max_count);
  let share = ${searchThreads * needlesInFlight}u;
  let first = linear_group(group, groups) * share;
  if (first >= m) { return; }
  var top = 0u;
  var top_offset = 0u;
  while ((n >> (3u * top)) > parameters.max_staged) {
    if (top > 0u) { top_offset += level_words(top); }
    top++;
  }
  let top_count = n >> (3u * top);
  for (var i = thread; i < top_count; i += ${searchThreads}u) { staged[i] = pivot(top, top_offset, i); }
  workgroupBarrier();
  for (var start = first; start < m; start += groups.x * groups.y * share) {
    let at = vec4u(${each((k) => `start + ${k * searchThreads}u + thread`)});
    let source = parameters.needles_lead + min(at, vec4u(m - 1u));
    let x = vec4u(${each((k) => `order_key(needles[source.${part[k]}])`)});
    var c = vec4u();
    for (var step = (parameters.max_staged + 1u) / 2u; step > 0u; step /= 2u) {
      let i = c + (step - 1u);
      let keys = vec4u(${each((k) => `staged[min(i.${part[k]}, ${maxStaged.many}u)]`)});
      c += select(vec4u(), vec4u(step), (i < vec4u(top_count)) & come_before(keys, x));
    }
    var offset = top_offset;
    for (var level = top; level > 0u;) {
      level--;
      if (level > 0u) { offset -= level_words(level); }
      let count = n >> (3u * level);
      c *= 8u;
      for (var step = 4u; step > 0u; step /= 2u) {
        let i = c + (step - 1u);
        let keys = pivots(level, offset, min(i, vec4u(count - 1u)));
        c += select(vec4u(), vec4u(step), (i < vec4u(count)) & come_before(keys, x));
      }
    }
    ${each((k) => `if (at.${part[k]} < m) { positions[parameters.output_lead + at.${part[k]}] = c.${part[k]}; }`, "\n    ")}
  }
}
`;
}
