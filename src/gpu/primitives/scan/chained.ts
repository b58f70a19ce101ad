import { type ScanKernel, threads } from "./options.ts";
import { entryArguments, entryHead, scanRows, stateWords, storeRows, tileCode } from "./tile.ts";

/** Looks at a window of states without finding a new one before the missing tile is computed again. */
const patience = 64;

/** Words of the spine before the states: the ticket and one to keep pairs together. */
const spineHead = 2;

/** Words of the spine of so many tiles. */
export const chainedSpineWords = (tiles: number): number => spineHead + 2 * tiles;

/**
 * Single-pass scan with decoupled fallback (Merrill and Garland's decoupled look-back; Smith, Levien and Owens, SPAA
 * 2025): 8 bytes an element. A state is two words, each half of the value, a segment's flag in bit 16, and whether it
 * is missing (0), a tile's total (1) or the whole prefix (2) in bits 30 and 31; it counts when both words agree. Who
 * moves the first word of a total from 0 also writes the second, so that the halves of a state have one author.
 * Entry points clear_spine and scan_chained; needs subgroups. `silent`: every so manyth tile never posts (for tests).
 */
export function chainedCode(kernel: ScanKernel, isVector: boolean, silent = 0): string {
  const posts = silent ? `tile % ${silent}u != ${silent - 1}u` : "true";
  const head = stateWords(kernel) === 2;
  return /* wgsl */ `${tileCode(kernel, isVector, true)}
@group(0) @binding(5) var<storage, read_write> spine: array<atomic<u32>>;

@compute @workgroup_size(${threads})
fn clear_spine(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let tiles = (read_count() + tile_size - 1u) / tile_size;
  let k = id.x + id.y * groups.x * ${threads}u;
  if (k < ${spineHead}u + 2u * tiles) { atomicStore(&spine[k], 0u); }
}

const is_total = 1u << 30u;
const is_prefix = 2u << 30u;

fn pack(s: State) -> vec2u {
  let bits = bitcast<u32>(value_of(s));
  return vec2u((bits & 0xffffu) | (head_of(s) << 16u), bits >> 16u);
}

fn unpack(words: vec2u) -> State {
  let bits = (words.x & 0xffffu) | (words.y << 16u);
  return make_state(bitcast<${kernel.type}>(bits), ${head ? "(words.x >> 16u) & 1u" : "0u"});
}

fn post_total(tile: u32, s: State) {
  let words = pack(s) | vec2u(is_total);
  let at = ${spineHead}u + 2u * tile;
  for (var tries = 0u; tries < 4u; tries++) {
    let swap = atomicCompareExchangeWeak(&spine[at], 0u, words.x);
    if (swap.exchanged) { atomicMax(&spine[at + 1u], words.y); }
    if (swap.old_value != 0u || swap.exchanged) { return; }
  }
}

fn post_prefix(tile: u32, s: State) {
  let words = pack(s) | vec2u(is_prefix);
  let at = ${spineHead}u + 2u * tile;
  atomicStore(&spine[at], words.x);
  atomicMax(&spine[at + 1u], words.y);
}

/** What look-back has found: everything, or all but the tiles up to \`missing\`. */
struct Found { is_all: u32, missing: u32 }
var<workgroup> ticket: u32;
var<workgroup> found: Found;
var<workgroup> tile_prefix: State;

@compute @workgroup_size(${threads})
fn scan_chained(${entryArguments(true)}) {
  ${entryHead(true)}
  let n = read_count();
  let tiles = (n + tile_size - 1u) / tile_size;
  if (linear_group(group, groups) >= tiles) { return; }
  if (thread == 0u) { ticket = atomicAdd(&spine[0], 1u); }
  let tile = workgroupUniformLoad(&ticket);
  ${scanRows}
  var total = shares[0];
  if (share == 0u) {
    for (var k = 1u; k < ${threads}u / size; k++) { total = join(total, shares[k]); }
  }
  let posts = ${posts};
  if (thread == 0u && posts) {
    if (tile == 0u) { post_prefix(tile, total); } else { post_total(tile, total); }
  }
  var mine = shares[0];
  for (var k = 1u; k < share; k++) { mine = join(mine, shares[k]); }

  // Every round passes at least one tile, so that there are at most as many rounds as tiles.
  var look = tile - 1u;
  var has_prefix = false;
  var prefix = make_state(${kernel.type}(), 0u);
  for (var round = 0u; round < tile; round++) {
    if (share == 0u) {
      var is_all = false;
      var waited = 0u;
      while (waited < ${patience}u) {
        var words = vec2u();
        if (lane <= look) {
          let at = ${spineHead}u + 2u * (look - lane);
          words = vec2u(atomicLoad(&spine[at]), atomicLoad(&spine[at + 1u]));
        }
        let kind = words >> vec2u(30u);
        let is_ready = kind.x != 0u && kind.x == kind.y;
        let unready = subgroupMin(select(lane, size, is_ready));
        let goal = subgroupMin(select(size, lane, is_ready && kind.x == 2u));
        is_all = goal < unready;
        let taken = select(unready, goal + 1u, is_all);
        if (taken == 0u) {
          waited++;
          continue;
        }
        waited = 0u;
        var s = unpack(words);
        for (var d = 1u; d < size; d *= 2u) {
          let earlier = state_subgroupShuffleDown(s, d);
          if (lane + d < taken) { s = join(earlier, s); }
        }
        s = state_subgroupShuffle(s, 0u);
        if (has_prefix) { prefix = join(s, prefix); } else { prefix = s; }
        has_prefix = true;
        if (is_all || look < taken) {
          is_all = true;
          break;
        }
        look -= taken;
      }
      if (thread == 0u) { found = Found(u32(is_all), look); }
    }
    let so_far = workgroupUniformLoad(&found);
    if (so_far.is_all != 0u) { break; }
    let again = tile_total(so_far.missing, n, share, lane, size);
    if (share == 0u) {
      if (thread == 0u) { post_total(so_far.missing, again); }
      if (has_prefix) { prefix = join(again, prefix); } else { prefix = again; }
      has_prefix = true;
    }
    if (so_far.missing == 0u) { break; }
    look = so_far.missing - 1u;
  }
  if (thread == 0u && tile > 0u) {
    tile_prefix = prefix;
    if (posts) { post_prefix(tile, join(prefix, total)); }
  }
  workgroupBarrier();
  let has = tile > 0u || share > 0u;
  var before = mine;
  if (tile > 0u) {
    before = tile_prefix;
    if (share > 0u) { before = join(before, mine); }
  }
  ${storeRows}
}
`;
}
