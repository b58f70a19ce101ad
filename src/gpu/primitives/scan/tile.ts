import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { operatorFunction } from "../base/operator-wgsl.ts";
import { rows, type ScanKernel, threads, tileSize } from "./options.ts";

/** Code for each row of a tile. */
export const eachRow = (code: (row: number) => string): string =>
  Array.from({ length: rows }, (_, r) => code(r)).join("\n");

const isSegmented = ({ segments, countsHeads }: ScanKernel): boolean =>
  segments !== undefined && !countsHeads;

/** u32 words of a state in memory. */
export const stateWords = (kernel: ScanKernel): number => (isSegmented(kernel) ? 2 : 1);

/** What is combined: a value, with a flag that tells whether a segment begins in its range where there are segments. */
function state(kernel: ScanKernel): string {
  const { type } = kernel;
  if (!isSegmented(kernel)) {
    return /* wgsl */ `
alias State = ${type};
fn join(a: State, b: State) -> State { return combine(a, b); }
fn value_of(s: State) -> ${type} { return s; }
fn head_of(s: State) -> u32 { return 0u; }
fn make_state(value: ${type}, head: u32) -> State { return value; }`;
  }
  return /* wgsl */ `
struct State { value: ${type}, head: u32 }
fn join(a: State, b: State) -> State {
  return State(select(combine(a.value, b.value), b.value, b.head != 0u), a.head | b.head);
}
fn value_of(s: State) -> ${type} { return s.value; }
fn head_of(s: State) -> u32 { return s.head; }
fn make_state(value: ${type}, head: u32) -> State { return State(value, head); }`;
}

/** Reads four elements in the scan's order from logical element e on, and writes them. */
function access(kernel: ScanKernel, isVector: boolean): string {
  const { type, reverse, segments, countsHeads, transform, inputType = type } = kernel;
  const order = reverse ? "wzyx" : "xyzw";
  const readQuad = (array: string, lead: string) =>
    isVector
      ? /* wgsl */ `
  let v = ${reverse ? "n / 4u - 1u - e / 4u" : "e / 4u"};
  if (e < n) { return ${array}[parameters.${lead} / 4u + v].${order}; }
  return vec4u();`
      : /* wgsl */ `
  var q = vec4u();
  for (var k = 0u; k < 4u; k++) {
    if (e + k < n) { q[k] = ${array}[parameters.${lead} + ${reverse ? "n - 1u - e - k" : "e + k"}]; }
  }
  return q;`;
  const item = isVector ? "vec4u" : "u32";
  const readOne = isVector
    ? `keys[(parameters.keys_lead + p) / 4u][(parameters.keys_lead + p) % 4u]`
    : `keys[parameters.keys_lead + p]`;
  const convert = (x: string) =>
    transform ? `transform(bitcast<${inputType}>(${x}))` : `bitcast<${type}>(${x})`;
  const heads =
    segments === undefined
      ? ""
      : /* wgsl */ `
@group(0) @binding(4) var<storage, read> keys: array<${item}>;
fn key_quad(e: u32, n: u32) -> vec4u {${readQuad("keys", "keys_lead")}
}
fn heads_at(e: u32, n: u32) -> vec4u {
  let own = key_quad(e, n);
  var before = 0u;
  if (e > 0u && e < n) {
    let p = ${reverse ? "n - e" : "e - 1u"};
    before = ${readOne};
  }
  let previous = vec4u(before, own.xyz);
  var heads = ${
    segments === "heads"
      ? `select(vec4u(0u), vec4u(1u), ${reverse ? "previous" : "own"} != vec4u(0u))`
      : `select(vec4u(0u), vec4u(1u), bitcast<vec4<${segments}>>(own) != bitcast<vec4<${segments}>>(previous))`
  };
  if (e == 0u) { heads.x = 1u; }
  return heads;
}`;
  const values = countsHeads
    ? ""
    : /* wgsl */ `
@group(0) @binding(2) var<storage, read> source: array<${item}>;
fn source_quad(e: u32, n: u32) -> vec4u {${readQuad("source", "input_lead")}
}`;
  const write = isVector
    ? /* wgsl */ `
  let v = parameters.output_lead / 4u + ${reverse ? "n / 4u - 1u - e / 4u" : "e / 4u"};
  if (e + 4u <= n) {
    result[v] = bitcast<vec4u>(y).${order};
  } else if (e < n) {
    result[v].x = bitcast<u32>(y.x);
    if (e + 1u < n) { result[v].y = bitcast<u32>(y.y); }
    if (e + 2u < n) { result[v].z = bitcast<u32>(y.z); }
  }`
    : /* wgsl */ `
  for (var k = 0u; k < 4u; k++) {
    if (e + k < n) {
      result[parameters.output_lead + ${reverse ? "n - 1u - e - k" : "e + k"}] = bitcast<u32>(y[k]);
    }
  }`;
  const own = (k: string) => (countsHeads ? `${type}(heads.${k})` : convert(`words.${k}`));
  return /* wgsl */ `
${transform ? `fn transform(x: ${inputType}) -> ${type} { return ${transform.wgsl}; }` : ""}
${values}
${heads}
@group(0) @binding(3) var<storage, read_write> result: array<${item}>;

/** Four neighbours, each combined with those before it, and where segments begin among them. */
struct Quad { a: State, b: State, c: State, d: State, heads: vec4u }

fn load_quad(e: u32, n: u32) -> Quad {
  ${countsHeads ? "" : "let words = source_quad(e, n);"}
  ${segments === undefined ? "let heads = vec4u(u32(e == 0u), 0u, 0u, 0u);" : "let heads = heads_at(e, n);"}
  let a = make_state(${own("x")}, heads.x);
  let b = join(a, make_state(${own("y")}, heads.y));
  let c = join(b, make_state(${own("z")}, heads.z));
  let d = join(c, make_state(${own("w")}, heads.w));
  return Quad(a, b, c, d, heads);
}

fn after(has: bool, prefix: State, s: State) -> ${type} {
  if (has) { return value_of(join(prefix, s)); }
  return value_of(s);
}

fn begun(x: ${type}, is_head: bool) -> ${type} {
  let init = bitcast<${type}>(parameters.init);
  if (is_head) { return init; }
  if (parameters.has_init != 0u) { return combine(init, x); }
  return x;
}

fn store_quad(e: u32, n: u32, q: Quad, has: bool, prefix: State) {
  ${
    kernel.exclusive
      ? /* wgsl */ `
  let heads = ${isSegmented(kernel) ? "q.heads" : "vec4u(u32(e == 0u), 0u, 0u, 0u)"} != vec4u(0u);
  let y = vec4<${type}>(
    begun(value_of(prefix), heads.x),
    begun(after(has, prefix, q.a), heads.y),
    begun(after(has, prefix, q.b), heads.z),
    begun(after(has, prefix, q.c), heads.w));`
      : /* wgsl */ `
  let y = vec4<${type}>(
    after(has, prefix, q.a), after(has, prefix, q.b), after(has, prefix, q.c), after(has, prefix, q.d));`
  }
  ${write}
}`;
}

/** Scans of one value a lane: over a subgroup, or over the workgroup where there are no subgroups. */
function rowScan(kernel: ScanKernel, subgroups: boolean): string {
  if (!subgroups) {
    return /* wgsl */ `
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
  }
  const lanes = (name: string) => /* wgsl */ `
fn state_${name}(s: State, d: u32) -> State {
  return make_state(${name}(value_of(s), d), ${isSegmented(kernel) ? `${name}(head_of(s), d)` : "0u"});
}`;
  return /* wgsl */ `
${lanes("subgroupShuffleUp")}
${lanes("subgroupShuffleDown")}
${lanes("subgroupShuffle")}
fn scan_row(own: State, lane: u32, size: u32) -> Row {
  var s = own;
  for (var d = 1u; d < size; d *= 2u) {
    let before = state_subgroupShuffleUp(s, d);
    if (lane >= d) { s = join(before, s); }
  }
  return Row(state_subgroupShuffleUp(s, 1u), state_subgroupShuffle(s, size - 1u));
}`;
}

/** Everything that the kernels of a scan share: states, access to elements, and the scan of a tile. */
export function tileCode(kernel: ScanKernel, isVector: boolean, subgroups: boolean): string {
  return /* wgsl */ `${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${linkFragments(operatorFunction(kernel.operator, kernel.type), linearGroup)}
${state(kernel)}

struct Parameters {
  count_word: u32,
  count_most: u32,
  input_lead: u32,
  output_lead: u32,
  keys_lead: u32,
  init: u32,
  has_init: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.count_most); }

${access(kernel, isVector)}

/** What comes before a lane in its row, and the whole row. */
struct Row { before: State, all: State }
${rowScan(kernel, subgroups)}

const tile_size = ${tileSize}u;
/** Totals of the shares of a tile that subgroups have: 64 at most, as these have 4 lanes at least. */
var<workgroup> shares: array<State, 64>;

/** First element of a lane's four in a row of its subgroup's share. */
fn element_of(tile: u32, row: u32, share: u32, lane: u32, size: u32) -> u32 {
  return tile * tile_size + ((share * ${rows}u + row) * size + lane) * 4u;
}

/** The total of a tile, for every thread. What lies beyond the last element makes it meaningless. */
fn tile_total(tile: u32, n: u32, share: u32, lane: u32, size: u32) -> State {
  ${eachRow((r) => `let q${r} = load_quad(element_of(tile, ${r}u, share, lane, size), n).d;`)}
  var total = scan_row(q0, lane, size).all;
  ${eachRow((r) => (r === 0 ? "" : `total = join(total, scan_row(q${r}, lane, size).all);`))}
  workgroupBarrier();
  if (lane == 0u) { shares[share] = total; }
  workgroupBarrier();
  var all = shares[0];
  for (var k = 1u; k < ${threads}u / size; k++) { all = join(all, shares[k]); }
  return all;
}
`;
}

/** The body of a kernel that has scanned the rows of `tile`: `total` is the subgroup's share, in workgroup memory. */
export const scanRows = /* wgsl */ `
  ${eachRow((r) => `let e${r} = element_of(tile, ${r}u, share, lane, size);`)}
  ${eachRow((r) => `let q${r} = load_quad(e${r}, n);`)}
  ${eachRow((r) => `let row${r} = scan_row(q${r}.d, lane, size);`)}
  let c1 = row0.all;
  let c2 = join(c1, row1.all);
  let c3 = join(c2, row2.all);
  if (lane == 0u) { shares[share] = join(c3, row3.all); }
  workgroupBarrier();
`;

/** Writes the tile: `has` tells whether anything comes before the share, `before` what. */
export const storeRows = /* wgsl */ `
  ${eachRow(
    (r) => /* wgsl */ `{
    ${r === 0 ? "var p = row0.before;" : `var p = c${r};\n    if (lane > 0u) { p = join(p, row${r}.before); }`}
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

export const entryHead = (subgroups: boolean): string =>
  subgroups ? "let share = thread / size;" : `let share = 0u; let lane = thread; let size = ${threads}u;`;
