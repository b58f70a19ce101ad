import { isSegmented, type TileKernel } from "./options.ts";
import { stateShuffle } from "./state.ts";
import { valueFrom, valueType, wordsOf } from "./values.ts";

/** Looks at windows of states before a missing tile is computed again. */
const patience = 128;

/** Words of a state that the spine has, but for a segment's flag. */
const wholeWords = (kernel: TileKernel): readonly string[] => [
  ...wordsOf(kernel, "value_of(s)"),
  ...(isSegmented(kernel) && kernel.runs ? ["heads_of(s)"] : []),
];

/** Words of a state in the spine: each has 16 bits of it. */
const spineWords = (kernel: TileKernel): number => 2 * wholeWords(kernel).length;

/** Tiles whose first words lie together, then their second words, and so on: a cache line each. */
const lineTiles = 32;

/** Words of the spine of so many tiles. */
export const chainedSpineWords = (kernel: TileKernel, tiles: number): number =>
  Math.ceil(tiles / lineTiles) * lineTiles * spineWords(kernel);

/** How states are taken apart into words of 16 bits (and a segment's flag in bit 16), and put together again. */
function packing(kernel: TileKernel): string {
  const whole = wholeWords(kernel);
  const flag = isSegmented(kernel) && !kernel.runs;
  const isWide = spineWords(kernel) > 4;
  const lows = whole.map((_, k) => `(w${k} & 0xffffu)${flag && k === 0 ? " | (heads_of(s) << 16u)" : ""}`);
  const highs = whole.map((_, k) => `w${k} >> 16u`);
  const words = whole.map((_, k) => {
    const [low, high] = isWide
      ? [`words.low.${"xyz"[k]}`, `words.high.${"xyz"[k]}`]
      : [`words.${"xz"[k]}`, `words.${"yw"[k]}`];
    return `(${low} & 0xffffu) | (${high} << 16u)`;
  });
  const parts = wordsOf(kernel, "").length;
  const heads = flag ? "(words.x >> 16u) & 1u" : (words[parts] ?? "0u");
  return /* wgsl */ `
${isWide ? "struct Words { low: vec3u, high: vec3u }" : `alias Words = vec${2 * whole.length}u;`}
fn pack(s: State) -> Words {
  ${whole.map((word, k) => `let w${k} = ${word};`).join("\n  ")}
  return ${
    isWide
      ? `Words(vec3u(${lows.join(", ")}), vec3u(${highs.join(", ")}))`
      : `Words(${lows.flatMap((low, k) => [low, highs[k]]).join(", ")})`
  };
}
fn unpack(words: Words) -> State {
  ${words
    .slice(0, parts)
    .map((word, k) => `let w${k} = ${word};`)
    .join("\n  ")}
  let heads = ${heads};
  return make_state(${valueFrom(
    kernel,
    words.slice(0, parts).map((_, k) => `w${k}`),
  )}, heads);
}`;
}

/** Reads a state's words of the spine, and writes them: a lane each, or two lanes' each where lanes may be too few. */
function spineAccess(kernel: TileKernel): string {
  const count = spineWords(kernel);
  const loads = Array.from({ length: count }, (_, h) => `atomicLoad(&spine[at + ${h * lineTiles}u])`);
  if (count <= 4) {
    return /* wgsl */ `
fn look_at(tile: u32) -> Words {
  let at = place_of(tile);
  return Words(${loads.join(", ")});
}
fn post(tile: u32, s: State, author: u32, lane: u32) {
  let words = pack(s) | Words((parameters.tag << 19u) | (author << 17u));
  if (lane < ${count}u) { atomicMax(&spine[place_of(tile) + lane * ${lineTiles}u], words[lane]); }
}`;
  }
  return /* wgsl */ `
fn look_at(tile: u32) -> Words {
  let at = place_of(tile);
  return Words(vec3u(${loads.slice(0, 3).join(", ")}), vec3u(${loads.slice(3).join(", ")}));
}
fn post(tile: u32, s: State, author: u32, lane: u32) {
  let words = pack(s);
  let mark = vec3u((parameters.tag << 19u) | (author << 17u));
  let low = words.low | mark;
  let high = words.high | mark;
  if (lane < 3u) {
    let at = place_of(tile) + lane * ${lineTiles}u;
    atomicMax(&spine[at], low[lane]);
    atomicMax(&spine[at + ${3 * lineTiles}u], high[lane]);
  }
}`;
}

/**
 * The spine of a chained kernel (binding 5) and what posts to it. A word has 16 bits of a state below, then whose
 * state it is (1: a tile's total by a stand-in, 2: by its workgroup, 3: the whole prefix) in bits 17 and 18, and the
 * recording's tag above. Words only grow, so that nobody waits to write one; a state counts when all its words have
 * this tag and one author. Old words have smaller tags: nothing is cleared. Tiles of which `isSilent` (WGSL) is true
 * never post, for tests. Needs the kernel's State and `parameters.tag`.
 */
export function spineCode(kernel: TileKernel, isSilent: string): string {
  return /* wgsl */ `
${stateShuffle(kernel, "subgroupShuffleDown")}
${packing(kernel)}
@group(0) @binding(5) var<storage, read_write> spine: array<atomic<u32>>;

fn place_of(tile: u32) -> u32 {
  return tile / ${lineTiles}u * ${lineTiles * spineWords(kernel)}u + tile % ${lineTiles}u;
}${spineAccess(kernel)}
fn post_own(tile: u32, s: State, author: u32, lane: u32) {
  ${isSilent === "" ? "" : `if (${isSilent}) { return; }`}
  post(tile, s, author, lane);
}

/** The first lane of a ballot, or none. By ballots: subgroupMin was seen to give wrong lanes here on one driver. */
fn first_lane(votes: vec4u, none: u32) -> u32 {
  let first = countTrailingZeros(votes) + vec4u(0u, 32u, 64u, 96u);
  let late = select(select(none, first.w, votes.w != 0u), first.z, votes.z != 0u);
  return select(select(late, first.y, votes.y != 0u), first.x, votes.x != 0u);
}

/** What look-back has found: all but so many tiles, and what comes before the tile. */
var<workgroup> found: u32;
var<workgroup> found_prefix: State;`;
}

/** Says whose the words of a state are, and whether all are of one author. */
const authors = (kernel: TileKernel): string =>
  spineWords(kernel) <= 4
    ? `let author = words >> Words(17u);
          let is_whole = all(author == Words(author.x));`
    : `let author = words.low >> vec3u(17u);
          let is_whole = all(author == vec3u(author.x)) & all((words.high >> vec3u(17u)) == author);`;

/** Joins to each lane's state those of the lanes up to twice as far above it. */
const addLanes = (d: number): string =>
  `s = choose(s, join(state_subgroupShuffleDown(s, ${d}u), s), lane + ${d}u < taken);`;

/**
 * Body that posts `total`, the tile's, and learns what comes before the tile: decoupled look-back with fallback
 * (Merrill and Garland; Smith, Levien and Owens, SPAA 2025). It is in found_prefix afterwards, unless this is the
 * first tile. Workgroups take tiles by their number: where they do not begin in order, stand-ins keep the scan going.
 * Needs `stand_in(tile, n, share, lane, size) -> State`, the total of a tile that has not posted it.
 * The first subgroup looks back, a lane a tile; its lanes post a word each.
 */
export const lookBack = (kernel: TileKernel): string => /* wgsl */ `
  {
    if (share == 0u) { post_own(tile, total, select(2u, 3u, tile == 0u), lane); }
    // Tiles 0 to left - 1 are still to be added. Every round adds one at least, so that there are no more rounds than tiles.
    var left = tile;
    var has_prefix = false;
    var prefix = make_state(${valueType(kernel)}(), 0u);
    for (var round = 0u; round < tile && left > 0u; round++) {
      if (share == 0u) {
        for (var poll = 0u; poll < ${patience}u; poll++) {
          let words = look_at(left - 1u - min(lane, left - 1u));
          ${authors(kernel)}
          let is_ready = (lane < left) & ((author.x >> 2u) == parameters.tag) & is_whole;
          let unready = first_lane(subgroupBallot(!is_ready), size);
          let goal = first_lane(subgroupBallot(is_ready & ((author.x & 3u) == 3u)), size);
          let is_all = goal < unready;
          let taken = select(unready, goal + 1u, is_all);
          if (taken == 0u) { continue; }
          var s = unpack(words);
          ${[1, 2, 4, 8, 16].map(addLanes).join("\n          ")}
          if (size > 32u) {
            ${[32, 64].map(addLanes).join("\n            ")}
          }
          s = state_subgroupShuffle(s, 0u);
          prefix = choose(s, join(s, prefix), has_prefix);
          has_prefix = true;
          left = select(left - taken, 0u, is_all);
          if (left == 0u) { break; }
        }
        if (lane == 0u) { found = left; }
      }
      left = workgroupUniformLoad(&found);
      if (left == 0u) { break; }
      let again = stand_in(left - 1u, n, share, lane, size);
      if (share == 0u) {
        post(left - 1u, again, 1u, lane);
        prefix = choose(again, join(again, prefix), has_prefix);
        has_prefix = true;
      }
      left--;
    }
    if (share == 0u && tile > 0u) {
      if (lane == 0u) { found_prefix = prefix; }
      post_own(tile, join(prefix, total), 3u, lane);
    }
    workgroupBarrier();
  }`;
