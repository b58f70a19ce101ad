import { isSegmented, type TileKernel, type TileShape } from "./options.ts";
import { stateWords } from "./state.ts";
import { entryArguments, entryHead, headCode, scanRows, storeRows, tileCode } from "./tile.ts";
import { valueFrom, valueType, wordsOf } from "./values.ts";

/** Threads of the spine's workgroups, and states that each takes. */
const spineThreads = 256;
const perThread = 4;
export const blockStates = spineThreads * perThread;

/** Words of the spine of so many tiles: their states, and those of blocks of them. */
export const reduceSpineWords = (kernel: TileKernel, tiles: number): number =>
  stateWords(kernel) * (tiles + Math.ceil(tiles / blockStates));

function spineAccess(kernel: TileKernel): string {
  const segmented = isSegmented(kernel);
  const values = wordsOf(kernel, segmented ? "s.value" : "s");
  const words = segmented ? [...values, "s.heads"] : values;
  const place = words.length === 1 ? "k" : `${words.length}u * k`;
  const at = (j: number) => `spine[${place}${j === 0 ? "" : ` + ${j}u`}]`;
  const value = valueFrom(
    kernel,
    values.map((_, j) => at(j)),
  );
  return /* wgsl */ `
@group(0) @binding(5) var<storage, read_write> spine: array<u32>;
fn load_spine(k: u32) -> State {
  return ${segmented ? `State(${value}, ${at(values.length)})` : value};
}
fn store_spine(k: u32, s: State) {
  ${words.map((word, j) => `${at(j)} = ${word};`).join("\n  ")}
}
fn tile_count() -> u32 { return (read_count() + tile_size - 1u) / tile_size; }`;
}

/** Tiles' totals to the spine. Entry point reduce_tiles. */
export function reduceTilesCode(kernel: TileKernel, shape: TileShape): string {
  const { subgroups } = shape;
  return /* wgsl */ `${tileCode(kernel, shape, false)}
${spineAccess(kernel)}

@compute @workgroup_size(${shape.threads})
fn reduce_tiles(${entryArguments(subgroups)}) {
  ${entryHead(kernel, shape, false)}
  ${scanRows(kernel, shape)}
  if (thread == 0u) { store_spine(tile, tile_total(size)); }
}`;
}

/**
 * The scan of the spine in blocks of ${blockStates}, and of the blocks' totals by one workgroup. Entry points scan_spine
 * and, for more than one block, scan_blocks.
 */
export function spineCode(kernel: TileKernel, shape: TileShape): string {
  return /* wgsl */ `${headCode(kernel, shape)}
${spineAccess(kernel)}
var<workgroup> spine_states: array<State, ${spineThreads}>;

/** Scans up to ${blockStates} states of the spine, and gives their total. */
fn scan_states(first: u32, last: u32, thread: u32) -> State {
  let start = min(first + thread * ${perThread}u, last);
  let end = min(start + ${perThread}u, last);
  var own = make_state(${valueType(kernel)}(), 0u);
  for (var k = start; k < end; k++) {
    let one = load_spine(k);
    if (k > start) { own = join(own, one); } else { own = one; }
  }
  spine_states[thread] = own;
  workgroupBarrier();
  for (var d = 1u; d < ${spineThreads}u; d *= 2u) {
    if (thread >= d) { own = join(spine_states[thread - d], own); }
    workgroupBarrier();
    spine_states[thread] = own;
    workgroupBarrier();
  }
  var before = spine_states[max(thread, 1u) - 1u];
  for (var k = start; k < end; k++) {
    var through = load_spine(k);
    if (k > first) { through = join(before, through); }
    store_spine(k, through);
    before = through;
  }
  let busy = (last - first + ${perThread - 1}u) / ${perThread}u;
  return spine_states[busy - 1u];
}

@compute @workgroup_size(${spineThreads})
fn scan_spine(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let tiles = tile_count();
  let first = group.x * ${blockStates}u;
  if (first >= tiles) { return; }
  let all = scan_states(first, min(first + ${blockStates}u, tiles), thread);
  if (thread == 0u) { store_spine(tiles + group.x, all); }
}

@compute @workgroup_size(${spineThreads})
fn scan_blocks(@builtin(local_invocation_index) thread: u32) {
  let tiles = tile_count();
  let blocks = (tiles + ${blockStates - 1}u) / ${blockStates}u;
  if (blocks > 1u) { scan_states(tiles, tiles + blocks, thread); }
}`;
}

/** Tiles again, after what comes before them. Entry point scan_tiles. */
export function scanTilesCode(kernel: TileKernel, shape: TileShape): string {
  const { subgroups } = shape;
  return /* wgsl */ `${tileCode(kernel, shape, true)}
${spineAccess(kernel)}

fn prefix_of(tile: u32) -> State {
  if (tile == 0u) { return make_state(${valueType(kernel)}(), 0u); }
  let block = (tile - 1u) / ${blockStates}u;
  let inside = load_spine(tile - 1u);
  if (block == 0u) { return inside; }
  return join(load_spine(tile_count() + block - 1u), inside);
}

@compute @workgroup_size(${shape.threads})
fn scan_tiles(${entryArguments(subgroups)}) {
  ${entryHead(kernel, shape, true)}
  let tile_prefix = prefix_of(tile);
  ${scanRows(kernel, shape)}
  ${storeRows(shape)}
}
`;
}
