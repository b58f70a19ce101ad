import { chainedShape, isSegmented, type TileKernel } from "./options.ts";
import { stateShuffle } from "./state.ts";
import { entryArguments, entryHead, scanRows, storeRows, tileCode } from "./tile.ts";

/** Looks at a window of states without finding a new one before the missing tile is computed again. */
const patience = 64;

/** Words of a state in the spine: each has 16 bits of it. */
const spineWords = (kernel: TileKernel): number => (isSegmented(kernel) && kernel.runs ? 4 : 2);

/** Tiles whose first words lie together, then their second words, and so on: a cache line each. */
const lineTiles = 32;

/** Words of the spine of so many tiles. */
export const chainedSpineWords = (kernel: TileKernel, tiles: number): number =>
  Math.ceil(tiles / lineTiles) * lineTiles * spineWords(kernel);

/** How states are taken apart into words of 16 bits (and a segment's flag in bit 16), and put together again. */
function packing(kernel: TileKernel): string {
  const isCounted = spineWords(kernel) === 4;
  const flag = isSegmented(kernel) && !isCounted;
  return /* wgsl */ `
alias Words = vec${spineWords(kernel)}u;
fn pack(s: State) -> Words {
  let bits = bitcast<u32>(value_of(s));
  ${
    isCounted
      ? "return vec4u(bits & 0xffffu, bits >> 16u, heads_of(s) & 0xffffu, heads_of(s) >> 16u);"
      : `return vec2u((bits & 0xffffu)${flag ? " | (heads_of(s) << 16u)" : ""}, bits >> 16u);`
  }
}
fn unpack(words: Words) -> State {
  let bits = (words.x & 0xffffu) | (words.y << 16u);
  let heads = ${isCounted ? "(words.z & 0xffffu) | (words.w << 16u)" : flag ? "(words.x >> 16u) & 1u" : "0u"};
  return make_state(bitcast<${kernel.type}>(bits), heads);
}`;
}

/**
 * Single-pass scan with decoupled fallback (Merrill and Garland's decoupled look-back; Smith, Levien and Owens, SPAA
 * 2025), one dispatch. A word of the spine has 16 bits of a state below, then whose state it is (1: a tile's total by
 * a stand-in, 2: by its workgroup, 3: the whole prefix) in bits 17 and 18, and the recording's tag above. Words only
 * grow, so that nobody waits to write one; a state counts when all its words have this tag and one author. Old words
 * have smaller tags: nothing is cleared. Workgroups take tiles by their number: where they do not begin in order,
 * stand-ins keep the scan going. Entry point scan_chained; needs subgroups. `silent`: every so manyth tile never posts
 * (for tests).
 */
export function chainedCode(kernel: TileKernel, isVector: boolean, silent = 0): string {
  const shape = chainedShape(isVector);
  const words = Array.from({ length: spineWords(kernel) }, (_, h) => h);
  const posts = silent ? `if (tile % ${silent}u == ${silent - 1}u) { return; }` : "";
  return /* wgsl */ `${tileCode(kernel, shape, true)}
${stateShuffle(kernel, "subgroupShuffleDown")}
${packing(kernel)}
@group(0) @binding(5) var<storage, read_write> spine: array<atomic<u32>>;

fn place_of(tile: u32) -> u32 {
  return tile / ${lineTiles}u * ${lineTiles * words.length}u + tile % ${lineTiles}u;
}
fn look_at(tile: u32) -> Words {
  let at = place_of(tile);
  return Words(${words.map((h) => `atomicLoad(&spine[at + ${h * lineTiles}u])`).join(", ")});
}
fn post(tile: u32, s: State, author: u32) {
  let words = pack(s) | Words((parameters.tag << 19u) | (author << 17u));
  let at = place_of(tile);
  ${words.map((h) => `atomicMax(&spine[at + ${h * lineTiles}u], words[${h}]);`).join("\n  ")}
}
fn post_own(tile: u32, s: State, author: u32) {
  ${posts}
  post(tile, s, author);
}

/** The total of a tile that has not posted it. */
fn stand_in(tile: u32, n: u32, share: u32, lane: u32, size: u32) -> State {
  var total = make_state(${kernel.type}(), 0u);
  for (var row = 0u; row < ${shape.rows}u; row++) {
    let quad = quad_state(load_quad(element_of(tile, row, share, lane, size), n));
    let all = scan_row(quad, lane, size).all;
    if (row > 0u) { total = join(total, all); } else { total = all; }
  }
  workgroupBarrier();
  if (lane == 0u) { shares[share] = total; }
  workgroupBarrier();
  return tile_total(size);
}

/** What look-back has found: everything, or all but the tiles up to missing. */
struct Found { is_all: u32, missing: u32 }
var<workgroup> found: Found;
var<workgroup> found_prefix: State;

@compute @workgroup_size(${shape.threads})
fn scan_chained(${entryArguments(true)}) {
  ${entryHead(kernel, shape, true)}
  ${scanRows(kernel, shape)}
  var total = mine;
  if (share == 0u) { total = tile_total(size); }
  if (thread == 0u) { post_own(tile, total, select(2u, 3u, tile == 0u)); }
  // Brings the first subgroup together again.
  workgroupBarrier();

  // Every round passes at least one tile, so that there are at most as many rounds as tiles.
  var look = tile - 1u;
  var has_prefix = false;
  var prefix = make_state(${kernel.type}(), 0u);
  for (var round = 0u; round < tile; round++) {
    if (share == 0u) {
      var is_all = false;
      var waited = 0u;
      while (waited < ${patience}u) {
        let words = look_at(look - min(lane, look));
        let author = words >> Words(17u);
        let is_ready = lane <= look && (author.x >> 2u) == parameters.tag && all(author == Words(author.x));
        let unready = subgroupMin(select(lane, size, is_ready));
        let goal = subgroupMin(select(size, lane, is_ready && (author.x & 3u) == 3u));
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
          s = choose(s, join(earlier, s), lane + d < taken);
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
    let again = stand_in(so_far.missing, n, share, lane, size);
    if (share == 0u) {
      if (thread == 0u) { post(so_far.missing, again, 1u); }
      if (has_prefix) { prefix = join(again, prefix); } else { prefix = again; }
      has_prefix = true;
    }
    if (so_far.missing == 0u) { break; }
    look = so_far.missing - 1u;
  }
  if (thread == 0u && tile > 0u) {
    found_prefix = prefix;
    post_own(tile, join(prefix, total), 3u);
  }
  workgroupBarrier();
  let tile_prefix = found_prefix;
  ${storeRows(shape)}
}
`;
}
