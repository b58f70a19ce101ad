import { type ScanKernel, threads } from "./options.ts";
import { entryArguments, entryHead, scanRows, stateWords, storeRows, tileCode } from "./tile.ts";

/** States of tiles that a thread of the spine's only workgroup takes at a time. */
const perThread = 16;

const spineAccess = (kernel: ScanKernel): string => /* wgsl */ `
@group(0) @binding(5) var<storage, read_write> spine: array<u32>;
fn load_spine(k: u32) -> State {
  ${
    stateWords(kernel) === 1
      ? `return bitcast<${kernel.type}>(spine[k]);`
      : `return State(bitcast<${kernel.type}>(spine[2u * k]), spine[2u * k + 1u]);`
  }
}
fn store_spine(k: u32, s: State) {
  ${
    stateWords(kernel) === 1
      ? "spine[k] = bitcast<u32>(s);"
      : "spine[2u * k] = bitcast<u32>(s.value);\n  spine[2u * k + 1u] = s.head;"
  }
}`;

/**
 * Three kernels that need no progress between workgroups: tiles' totals, their scan by one workgroup, and the tiles
 * again with what comes before them. Entry points reduce_tiles, scan_spine, scan_tiles. 12 bytes an element.
 */
export function reduceThenScanCode(kernel: ScanKernel, isVector: boolean, subgroups: boolean): string {
  return /* wgsl */ `${tileCode(kernel, isVector, subgroups)}
${spineAccess(kernel)}

@compute @workgroup_size(${threads})
fn reduce_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups)}
  let n = read_count();
  let tile = linear_group(group, groups);
  if (tile * tile_size >= n) { return; }
  let total = tile_total(tile, n, share, lane, size);
  if (thread == 0u) { store_spine(tile, total); }
}

var<workgroup> spine_states: array<State, ${threads}>;

@compute @workgroup_size(${threads})
fn scan_spine(@builtin(local_invocation_index) thread: u32) {
  let n = read_count();
  let tiles = (n + tile_size - 1u) / tile_size;
  var carry = make_state(${kernel.type}(), 0u);
  for (var first = 0u; first < tiles; first += ${threads * perThread}u) {
    let start = first + thread * ${perThread}u;
    let end = min(start + ${perThread}u, tiles);
    var own = make_state(${kernel.type}(), 0u);
    if (start < end) {
      own = load_spine(start);
      for (var k = start + 1u; k < end; k++) { own = join(own, load_spine(k)); }
    }
    spine_states[thread] = own;
    workgroupBarrier();
    for (var d = 1u; d < ${threads}u; d *= 2u) {
      if (thread >= d) { own = join(spine_states[thread - d], own); }
      workgroupBarrier();
      spine_states[thread] = own;
      workgroupBarrier();
    }
    if (start < end) {
      var before = carry;
      if (thread > 0u) {
        before = spine_states[thread - 1u];
        if (first > 0u) { before = join(carry, before); }
      }
      for (var k = start; k < end; k++) {
        var through = load_spine(k);
        if (first > 0u || k > 0u) { through = join(before, through); }
        store_spine(k, through);
        before = through;
      }
    }
    let all = spine_states[${threads - 1}u];
    if (first > 0u) { carry = join(carry, all); } else { carry = all; }
    workgroupBarrier();
  }
}

@compute @workgroup_size(${threads})
fn scan_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups)}
  let n = read_count();
  let tile = linear_group(group, groups);
  if (tile * tile_size >= n) { return; }
  ${scanRows}
  var before = make_state(${kernel.type}(), 0u);
  if (tile > 0u) { before = load_spine(tile - 1u); }
  if (share > 0u) {
    var mine = shares[0];
    for (var k = 1u; k < share; k++) { mine = join(mine, shares[k]); }
    if (tile > 0u) { before = join(before, mine); } else { before = mine; }
  }
  let has = tile > 0u || share > 0u;
  ${storeRows}
}
`;
}
