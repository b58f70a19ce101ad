import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

export const threads = 256;
/** Rows of a tile: a thread has four neighbouring needles in each. */
const rows = 2;
export const tileSize = threads * rows * 4;
/** Elements of a tile beyond which its needles are searched for one by one. */
const maxWalked = 16 * tileSize;

const head = /* wgsl */ `
${linkFragments(linearGroup)}
const tile_size = ${tileSize}u;
struct Parameters {
  count_word: u32,
  max_count: u32,
  sorted_word: u32,
  max_sorted: u32,
  sorted_lead: u32,
  output_lead: u32,
  quads: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> sorted: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }
`;

/** Where each tile of needles begins among the elements, and the last one ends. Entry point split_tiles. */
export const splitCode = /* wgsl */ `${head}
@group(0) @binding(3) var<storage, read> sorted_words: array<u32>;
@group(0) @binding(4) var<storage, read_write> splits: array<u32>;

@compute @workgroup_size(${threads})
fn split_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = read_count();
  let tile = linear_group(group, groups) * ${threads}u + thread;
  if (tile > (count + tile_size - 1u) / tile_size) { return; }
  let needle = min(tile * tile_size, count);
  var low = 0u;
  var high = min(sorted_words[parameters.sorted_word], parameters.max_sorted);
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (sorted[parameters.sorted_lead + middle] < needle) { low = middle + 1u; } else { high = middle; }
  }
  splits[tile] = low;
}
`;

/** The greatest value of the lanes before in a row, and of the whole row. */
const scanRow = (subgroups: boolean): string =>
  subgroups
    ? /* wgsl */ `
fn scan_row(own: u32, lane: u32, size: u32) -> Row {
  var most = own;
  for (var d = 1u; d < size; d *= 2u) {
    let earlier = subgroupShuffleUp(most, d);
    if (lane >= d) { most = max(most, earlier); }
  }
  return Row(select(0u, subgroupShuffleUp(most, 1u), lane > 0u), subgroupShuffle(most, size - 1u));
}`
    : /* wgsl */ `
var<workgroup> lanes: array<u32, ${threads}>;
fn scan_row(own: u32, lane: u32, size: u32) -> Row {
  var most = own;
  lanes[lane] = most;
  workgroupBarrier();
  for (var d = 1u; d < size; d *= 2u) {
    if (lane >= d) { most = max(most, lanes[lane - d]); }
    workgroupBarrier();
    lanes[lane] = most;
    workgroupBarrier();
  }
  let row = Row(select(0u, lanes[max(lane, 1u) - 1u], lane > 0u), lanes[size - 1u]);
  workgroupBarrier();
  return row;
}`;

const eachRow = (code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n    ");

/**
 * For each needle, how many elements are not greater: the end of each run of elements is put at its needle in workgroup
 * memory, and a scan by maximum fills the others in. Where a tile of needles has very many elements, each is searched
 * for instead. Entry point count_tiles.
 */
export function countCode(isVector: boolean, subgroups: boolean): string {
  const marks = ["x", "y", "z", "w"].map(
    (c, k) => /* wgsl */ `
      if (at + ${k}u >= start && (at + ${k + 1}u == end || (at + ${k + 1}u < end && own.${c} != next.${c}))) {
        let i = own.${c} - base;
        staged[(i % 4u) * ${tileSize / 4}u + i / 4u] = at + ${k + 1}u - parameters.sorted_lead;
      }`,
  );
  const store = isVector
    ? /* wgsl */ `
  let at = (parameters.output_lead + e) / 4u;
  if (e + 4u <= count) {
    positions[at] = y;
  } else if (e < count) {
    positions[at].x = y.x;
    if (e + 1u < count) { positions[at].y = y.y; }
    if (e + 2u < count) { positions[at].z = y.z; }
  }`
    : ["x", "y", "z", "w"]
        .map((c, k) => `if (e + ${k}u < count) { positions[parameters.output_lead + e + ${k}u] = y.${c}; }`)
        .join("\n  ");
  return /* wgsl */ `
${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${head}
@group(0) @binding(3) var<storage, read> sorted_quads: array<vec4u>;
@group(0) @binding(4) var<storage, read> splits: array<u32>;
@group(0) @binding(5) var<storage, read_write> positions: array<${isVector ? "vec4u" : "u32"}>;

/** Ends of runs at needles of the tile: of those that are 0, 1, 2, 3 modulo 4. */
var<workgroup> staged: array<u32, tile_size>;
/** Greatest values of the shares of a tile that subgroups have: 64 at most, as these have 4 lanes at least. */
var<workgroup> shares: array<u32, ${subgroups ? 64 : 1}>;

struct Row { before: u32, all: u32 }
${scanRow(subgroups)}

fn staged_quad(quad: u32) -> vec4u {
  return vec4u(
    staged[quad],
    staged[quad + ${tileSize / 4}u],
    staged[quad + ${tileSize / 2}u],
    staged[quad + ${(tileSize / 4) * 3}u],
  );
}

/** The words from 4 · quad on, of which those before \`end\` count. */
fn read_words(quad: u32, end: u32) -> vec4u {
  if (quad < parameters.quads) { return sorted_quads[quad]; }
  var words = vec4u();
  for (var k = 0u; k < 4u; k++) {
    if (4u * quad + k < end) { words[k] = sorted[4u * quad + k]; }
  }
  return words;
}

/** How many of the elements from \`first\` to \`last\` and of all before are at most the needle. */
fn search(first: u32, last: u32, needle: u32) -> u32 {
  var low = first;
  var high = last;
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (sorted[parameters.sorted_lead + middle] <= needle) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

fn store_quad(e: u32, count: u32, y: vec4u) {
  ${store}
}

/** Four values, each the greatest so far and at least \`least\`. */
fn climb(q: vec4u, least: u32) -> vec4u {
  let x = max(q.x, least);
  let y = max(q.y, x);
  let z = max(q.z, y);
  return vec4u(x, y, z, max(q.w, z));
}

@compute @workgroup_size(${threads})
fn count_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}
) {
  ${subgroups ? "let share = thread / size;" : `let share = 0u; let lane = thread; let size = ${threads}u;`}
  let count = read_count();
  let tile = linear_group(group, groups);
  let base = tile * tile_size;
  if (base >= count) { return; }
  let first = splits[tile];
  let last = splits[tile + 1u];
  if (last - first > ${maxWalked}u) {
    for (var quad = thread; quad < tile_size / 4u; quad += ${threads}u) {
      let e = base + 4u * quad;
      let x = search(first, last, e);
      let y = search(x, last, e + 1u);
      let z = search(y, last, e + 2u);
      store_quad(e, count, vec4u(x, y, z, search(z, last, e + 3u)));
    }
    return;
  }
  let start = parameters.sorted_lead + first;
  let end = parameters.sorted_lead + last;
  for (var quad = start / 4u + thread; 4u * quad < end; quad += ${threads}u) {
    let own = read_words(quad, end);
    var after = 0u;
    if (4u * quad + 4u < end) { after = sorted[4u * quad + 4u]; }
    let next = vec4u(own.yzw, after);
    let at = 4u * quad;
    ${marks.join("")}
  }
  workgroupBarrier();
  let quad = share * ${rows}u * size + lane;
  ${eachRow((r) => `let q${r} = staged_quad(quad + ${r}u * size);`)}
  ${eachRow((r) => `let row${r} = scan_row(max(max(q${r}.x, q${r}.y), max(q${r}.z, q${r}.w)), lane, size);`)}
  let most0 = row0.all;
  ${eachRow((r) => (r === 0 ? "" : `let most${r} = max(most${r - 1}, row${r}.all);`))}
  if (lane == 0u) { shares[share] = most${rows - 1}; }
  workgroupBarrier();
  var before = first;
  for (var k = 0u; k < share; k++) { before = max(before, shares[k]); }
  ${eachRow(
    (r) =>
      `store_quad(base + 4u * (quad + ${r}u * size), count, climb(q${r}, max(before, ${r === 0 ? "row0.before" : `max(most${r - 1}, row${r}.before)`})));`,
  )}
}
`;
}
