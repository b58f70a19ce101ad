import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import {
  type CompactKernel,
  eachPair,
  eachRow,
  staysInTile,
  type TileShape,
  threads,
  tileSize,
} from "./options.ts";

/** Sums before each lane of its row, and of the whole row: of two rows at once, in 16 bits each. */
const rowSums = (subgroups: boolean): string =>
  subgroups
    ? /* wgsl */ `
fn sum_rows(own: u32, lane: u32, size: u32) -> Sums {
  let before = subgroupExclusiveAdd(own);
  return Sums(before, subgroupShuffle(before + own, size - 1u));
}`
    : /* wgsl */ `
var<workgroup> lane_sums: array<u32, ${threads}>;
fn sum_rows(own: u32, lane: u32, size: u32) -> Sums {
  var sum = own;
  lane_sums[lane] = sum;
  workgroupBarrier();
  for (var d = 1u; d < size; d *= 2u) {
    if (lane >= d) { sum += lane_sums[lane - d]; }
    workgroupBarrier();
    lane_sums[lane] = sum;
    workgroupBarrier();
  }
  let sums = Sums(sum - own, lane_sums[size - 1u]);
  workgroupBarrier();
  return sums;
}`;

/** Bits of the four elements from e on that are to go first; what lies beyond element n is none. */
function selectionCode({ type, selection }: CompactKernel, isVector: boolean): string {
  const [array, lead] = selection === "stencil" ? ["stencil", "stencil_lead"] : ["source", "source_lead"];
  const item = isVector ? "vec4u" : "u32";
  const test = selection === "stencil" ? "word != 0u" : `is_selected(bitcast<${type}>(word))`;
  const predicate =
    selection === "stencil" ? "" : `fn is_selected(x: ${type}) -> bool { return ${selection.where.wgsl}; }`;
  const read = isVector
    ? /* wgsl */ `
fn read_quad(e: u32, n: u32) -> vec4u {
  if (e < n) { return ${array}[(parameters.${lead} + e) / 4u]; }
  return vec4u();
}`
    : /* wgsl */ `
fn read_quad(e: u32, n: u32) -> vec4u {
  var q = vec4u();
  for (var k = 0u; k < 4u; k++) {
    if (e + k < n) { q[k] = ${array}[parameters.${lead} + e + k]; }
  }
  return q;
}`;
  return /* wgsl */ `
@group(0) @binding(${selection === "stencil" ? 4 : 2}) var<storage, read> ${array}: array<${item}>;
${predicate}
${read}
fn goes_first(word: u32) -> bool { return ${test}; }
fn first_bits(q: vec4u, e: u32, n: u32) -> u32 {
  let bits = select(0u, 1u, goes_first(q.x)) | select(0u, 2u, goes_first(q.y)) |
    select(0u, 4u, goes_first(q.z)) | select(0u, 8u, goes_first(q.w));
  return (bits ^ parameters.flip) & inside_bits(e, n);
}`;
}

/** What all kernels of a family share: parameters, the length, selection, and sums over rows and tiles. */
export const tileCode = (
  kernel: CompactKernel,
  { isVector, subgroups, rows }: TileShape,
): string => /* wgsl */ `
${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${linkFragments(linearGroup)}
const tile_size = ${tileSize(rows)}u;
const words = ${kernel.words}u;
struct Parameters {
  count_word: u32,
  count_most: u32,
  source_lead: u32,
  stencil_lead: u32,
  output_lead: u32,
  output_most: u32,
  kept_lead: u32,
  tag: u32,
  groups: u32,
  flip: u32,
  silent: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.count_most); }

fn inside_bits(e: u32, n: u32) -> u32 { return (1u << min(n - min(e, n), 4u)) - 1u; }
${selectionCode(kernel, isVector)}

struct Sums { before: u32, all: u32 }
${rowSums(subgroups)}

/** Counts of the shares of a tile that subgroups have: 64 at most, as these have 4 lanes at least. */
var<workgroup> shares: array<u32, ${subgroups ? 64 : 1}>;
fn tile_total(size: u32) -> u32 {
  var all = 0u;
  for (var k = 0u; k < ${threads}u / size; k++) { all += shares[k]; }
  return all;
}

/** First element of a lane's four in a row of its subgroup's share. */
fn element_of(tile: u32, row: u32, share: u32, lane: u32, size: u32) -> u32 {
  return tile * tile_size + ((share * ${rows}u + row) * size + lane) * 4u;
}
`;

/**
 * Body of a kernel that reads `tile`: quads q0, q1, … at e0, e1, …, bits b0, b1, … of what goes first, and sums of
 * the rows in pairs. The shares' counts are in workgroup memory then; a barrier has to follow.
 */
export const countRows = ({ rows }: TileShape): string => /* wgsl */ `
  ${eachRow(rows, (r) => `let e${r} = element_of(tile, ${r}u, share, lane, size);`)}
  ${eachRow(rows, (r) => `let q${r} = read_quad(e${r}, n);`)}
  ${eachRow(rows, (r) => `let b${r} = first_bits(q${r}, e${r}, n);`)}
  ${eachPair(rows, (p) => `let s${p} = sum_rows(countOneBits(b${2 * p}) | (countOneBits(b${2 * p + 1}) << 16u), lane, size);`)}
  var share_total = 0u;
  ${eachPair(rows, (p) => `share_total += (s${p}.all & 0xffffu) + (s${p}.all >> 16u);`)}
  if (lane == 0u) { shares[share] = share_total; }`;

/** What a kernel that writes needs besides: the tile in workgroup memory, and access to the output. */
export function writerCode(kernel: CompactKernel): string {
  const isInTile = staysInTile(kernel);
  const place =
    kernel.keeps === "both" ? "select(rest + k - first_count, prefix + k, k < first_count)" : "prefix + k";
  return /* wgsl */ `
${isInTile ? "" : "@group(0) @binding(2) var<storage, read> source: array<u32>;"}
@group(0) @binding(3) var<storage, read_write> result: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;
var<workgroup> staged: array<u32, tile_size>;

/** Puts four elements where they go within the tile. */
fn stage_quad(q: vec4u, bits: u32, e: u32, n: u32, tile: u32, first_count: u32, before: u32) {
  var at = before;
  ${kernel.keeps === "both" ? "var other = first_count + e % tile_size - before;" : ""}
  for (var k = 0u; k < 4u; k++) {
    let word = ${isInTile ? "q[k]" : "e % tile_size + k"};
    if ((bits & (1u << k)) != 0u) {
      staged[at] = word;
      at++;
    }${
      kernel.keeps === "both"
        ? ` else if (e + k < n) {
      staged[other] = word;
      other++;
    }`
        : ""
    }
  }
}

/**
 * Writes the tile: what goes first from place \`prefix\` on, the rest from \`rest\` on. What has no place in the output
 * is left out.
 */
fn write_tile(tile: u32, n: u32, thread: u32, first_count: u32, prefix: u32, rest: u32) {
  let count = ${kernel.keeps === "both" ? "min(n - tile * tile_size, tile_size)" : "first_count"};
  for (var w = thread; w < count * words; w += ${threads}u) {
    let k = w / words;
    let place = ${place};
    if (place < parameters.output_most) {
      result[parameters.output_lead + place * words + w % words] = ${
        isInTile
          ? "staged[k]"
          : "source[parameters.source_lead + (tile * tile_size + staged[k]) * words + w % words]"
      };
    }
  }
}`;
}

/** Body that stages the tile: `first_count` elements of it go first. A barrier comes before, and has to follow. */
export const stageRows = ({ rows }: TileShape): string => /* wgsl */ `
  let first_count = tile_total(size);
  var before = 0u;
  for (var k = 0u; k < share; k++) { before += shares[k]; }
  ${eachRow(rows, (r) => {
    const part = (of: string) => (r % 2 === 0 ? `(${of} & 0xffffu)` : `(${of} >> 16u)`);
    const pair = r >> 1;
    return `stage_quad(q${r}, b${r}, e${r}, n, tile, first_count, before + ${part(`s${pair}.before`)});
  before += ${part(`s${pair}.all`)};`;
  })}`;

/** Thread numbers by names that do with and without subgroups. */
export const entryArguments = (subgroups: boolean): string => /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}`;

/** Begins an entry point: `n`, `tile` (one a workgroup; surplus workgroups leave), `share`, `lane`, `size`. */
export const entryHead = (subgroups: boolean, writes: boolean): string => /* wgsl */ `
  ${subgroups ? "let share = thread / size;" : `let share = 0u; let lane = thread; let size = ${threads}u;`}
  let n = read_count();
  let tile = linear_group(group, groups);
  ${writes ? "if (n == 0u && tile == 0u && thread == 0u) { kept[parameters.kept_lead] = 0u; }" : ""}
  if (tile * tile_size >= n) { return; }
  let is_last = n - tile * tile_size <= tile_size;`;
