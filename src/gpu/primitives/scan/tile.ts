import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { makeQuad, readCode, runWriter, scanWriter } from "./access.ts";
import { eachRow, locates, readsValues, type TileKernel, type TileShape, tileSize } from "./options.ts";
import { stateCode, stateShuffle } from "./state.ts";

/**
 * Scans of one state a lane: over a subgroup, or over the workgroup where there are no subgroups. Subgroup
 * operations never follow a branch that a part of the subgroup takes: some drivers join its parts too late.
 */
const rowScan = (kernel: TileKernel, { subgroups, threads }: TileShape): string =>
  subgroups
    ? /* wgsl */ `
${stateShuffle(kernel, "subgroupShuffleUp")}
${stateShuffle(kernel, "subgroupShuffle")}
fn scan_row(own: State, lane: u32, size: u32) -> Row {
  var s = own;
  for (var d = 1u; d < size; d *= 2u) {
    let before = state_subgroupShuffleUp(s, d);
    s = choose(s, join(before, s), lane >= d);
  }
  return Row(state_subgroupShuffleUp(s, 1u), state_subgroupShuffle(s, size - 1u));
}`
    : /* wgsl */ `
var<workgroup> row_states: array<State, ${threads}>;
fn scan_row(own: State, lane: u32, size: u32) -> Row {
  var s = own;
  row_states[lane] = s;
  workgroupBarrier();
  for (var d = 1u; d < size; d *= 2u) {
    if (lane >= d) { s = join(row_states[lane - d], s); }
    workgroupBarrier();
    row_states[lane] = s;
    workgroupBarrier();
  }
  let row = Row(row_states[max(lane, 1u) - 1u], row_states[size - 1u]);
  workgroupBarrier();
  return row;
}`;

/** Parameters, the length, and what is combined. */
export const headCode = (kernel: TileKernel, shape: TileShape): string => /* wgsl */ `
const tile_size = ${tileSize(shape)}u;
struct Parameters {
  count_word: u32,
  max_count: u32,
  input_lead: u32,
  output_lead: u32,
  keys_lead: u32,
  init: u32,
  has_init: u32,
  tag: u32,
  keys_out_lead: u32,
  runs_lead: u32,${locates(kernel) ? "\n  first_position: u32," : ""}
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }

${stateCode(kernel)}`;

/** What the kernels that read tiles share: access to elements (to the output too, if it `writes`), and scans of rows. */
export function tileCode(kernel: TileKernel, shape: TileShape, writes: boolean): string {
  const { isVector, subgroups, threads, rows } = shape;
  const writer = kernel.runs ? runWriter(kernel) : scanWriter(kernel, isVector);
  return /* wgsl */ `${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${headCode(kernel, shape)}
${linkFragments(linearGroup)}
${readCode(kernel, isVector)}
${writes ? writer : ""}

/** What comes before a lane in its row, and the whole row. */
struct Row { before: State, all: State }
${rowScan(kernel, shape)}

/** Totals of the shares of a tile that subgroups have: these have 4 lanes at least. */
var<workgroup> shares: array<State, ${subgroups ? threads / 4 : 1}>;
fn tile_total(size: u32) -> State {
  var all = shares[0];
  for (var k = 1u; k < ${threads}u / size; k++) { all = join(all, shares[k]); }
  return all;
}

/** First element of a lane's four in a row of its subgroup's share. */
fn element_of(tile: u32, row: u32, share: u32, lane: u32, size: u32) -> u32 {
  return tile * tile_size + ((share * ${rows}u + row) * size + lane) * 4u;
}
`;
}

/** Body of a kernel that reads `tile`: Quads q0, q1, … at e0, e1, …; all reads are under way before the first use. */
function loadRows(kernel: TileKernel, shape: TileShape): string {
  const { subgroups } = shape;
  const hasKeys = kernel.segments !== undefined;
  const hasValues = readsValues(kernel);
  // The key before a row: with subgroups, the last lane of the row before has it.
  const lastKey = (r: number) => {
    const last = subgroups ? `element_of(tile, ${r}u, share, 0u, size)` : `e${r}`;
    if (subgroups && r > 0) return `let b${r} = subgroupShuffle(k${r - 1}.w, size - 1u);`;
    return `let b${r} = key_word(max(${last}, 1u) - 1u, n);`;
  };
  const heads = (r: number) =>
    subgroups
      ? `let up${r} = subgroupShuffleUp(k${r}.w, 1u);
  let h${r} = head_bits(k${r}, select(up${r}, b${r}, lane == 0u), e${r}, n);`
      : `let h${r} = head_bits(k${r}, b${r}, e${r}, n);`;
  const quad = (r: number) =>
    makeQuad(kernel, hasValues ? `w${r}` : "vec4u()", hasKeys ? `h${r}` : "0u", `e${r}`);
  return /* wgsl */ `
  ${eachRow(shape, (r) => `let e${r} = element_of(tile, ${r}u, share, lane, size);`)}
  ${hasValues ? eachRow(shape, (r) => `let w${r} = source_quad(e${r}, n);`) : ""}
  ${hasKeys ? eachRow(shape, (r) => `let k${r} = key_quad(e${r}, n);`) : ""}
  ${hasKeys ? eachRow(shape, lastKey) : ""}
  ${hasKeys ? eachRow(shape, heads) : ""}
  ${eachRow(shape, (r) => `let q${r} = ${quad(r)};`)}
`;
}

/**
 * Body of a kernel that reads `tile` and scans its rows; the shares' totals are in workgroup memory then, and
 * `mine` is what the tile has before this share (where `share` is not 0).
 */
export const scanRows = (kernel: TileKernel, shape: TileShape): string => /* wgsl */ `
  ${loadRows(kernel, shape)}
  ${eachRow(shape, (r) => `let row${r} = scan_row(quad_state(q${r}), lane, size);`)}
  let c0 = row0.all;
  ${eachRow(shape, (r) => (r === 0 ? "" : `let c${r} = join(c${r - 1}, row${r}.all);`))}
  if (lane == 0u) { shares[share] = c${shape.rows - 1}; }
  workgroupBarrier();
  var mine = shares[0];
  for (var k = 1u; k < share; k++) { mine = join(mine, shares[k]); }`;

/** Body that writes the tile after `tile_prefix`, which counts unless this is the first tile. */
export const storeRows = (shape: TileShape): string => /* wgsl */ `
  let has = tile > 0u || share > 0u;
  var before = mine;
  if (tile > 0u) {
    before = tile_prefix;
    if (share > 0u) { before = join(before, mine); }
  }
  ${eachRow(
    shape,
    (r) => /* wgsl */ `{
    ${r === 0 ? "var p = row0.before;" : `var p = c${r - 1};\n    if (lane > 0u) { p = join(p, row${r}.before); }`}
    let has_own = ${r === 0 ? "lane > 0u" : "true"};
    if (has) { if (has_own) { p = join(before, p); } else { p = before; } }
    store_quad(e${r}, n, q${r}, has || has_own, p);
  }`,
  )}
`;

/** Thread numbers by names that do with and without subgroups. */
export const entryArguments = (subgroups: boolean): string => /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}`;

/**
 * Begins an entry point: `n`, `tile` (one a workgroup; surplus workgroups leave), `share`, `lane`, `size`.
 */
export const entryHead = (
  kernel: TileKernel,
  { subgroups, threads }: TileShape,
  writes: boolean,
): string => /* wgsl */ `
  ${subgroups ? "let share = thread / size;" : `let share = 0u; let lane = thread; let size = ${threads}u;`}
  let n = read_count();
  let tile = linear_group(group, groups);
  ${kernel.runs && writes ? "if (n == 0u && tile == 0u && thread == 0u) { run_count[parameters.runs_lead] = 0u; }" : ""}
  if (tile * tile_size >= n) { return; }`;
