import { type CompactKernel, eachItem, firstElement, threads } from "./options.ts";
import {
  countItems,
  entryArguments,
  entryHead,
  sumShares,
  tileCode,
  writeItems,
  writerCode,
} from "./tile.ts";

/** Looks at a window of counts without finding a new one before somebody else counts for the missing tile. */
const patience = 64;

/** Tiles whose counts are summed by the last of them: their words are a cache line. */
const groupTiles = 32;

const groupsOf = (tiles: number): number => Math.ceil(tiles / groupTiles / 32) * 32;

/** Words of each of the spine's lists of groups, and of the spine of so many tiles. */
export const spineOf = (tiles: number): { readonly groups: number; readonly words: number } => {
  const groups = groupsOf(tiles);
  return { groups, words: groups * (groupTiles + 3) };
};

/**
 * Compaction in one dispatch: a scan of the tiles' counts with look-back over tiles of the own group, then over
 * groups (Merrill and Garland's decoupled look-back, with the fallback of Smith, Levien and Owens, SPAA 2025). The spine
 * lists counts of tiles, of groups, and of all up to each group (in two halves of 16 bits). Words carry the
 * recording's tag in their upper 13 bits; whoever writes one writes the same. Entry point compact; needs
 * subgroups.
 */
export function chainedCode(kernel: CompactKernel): string {
  return /* wgsl */ `${tileCode(kernel, true)}
${writerCode(kernel)}
@group(0) @binding(5) var<storage, read_write> spine: array<atomic<u32>>;
const group_tiles = ${groupTiles}u;
const payload = 0x7ffffu;

fn is_posted(word: u32) -> bool { return (word >> 19u) == parameters.tag; }
fn post(at: u32, value: u32) { atomicStore(&spine[at], (parameters.tag << 19u) | value); }
/** Whether a tile is to post nothing, as if it had stalled: for tests. */
fn is_silent(tile: u32) -> bool { return parameters.silent != 0u && tile % max(parameters.silent, 1u) == parameters.silent - 1u; }
fn list(k: u32) -> u32 { return parameters.groups * (group_tiles + k); }
fn post_total(tile: u32, total: u32) {
  if (is_silent(tile)) { return; }
  post(tile, total);
}
fn post_group_total(tile: u32, total: u32) {
  if (is_silent(tile)) { return; }
  post(list(0u) + tile / group_tiles, total);
}
fn post_group_prefix(tile: u32, prefix: u32) {
  if (is_silent(tile)) { return; }
  post(list(1u) + tile / group_tiles, prefix & 0xffffu);
  post(list(2u) + tile / group_tiles, prefix >> 16u);
}

/** The count of a tile that has not posted it. */
fn stand_in(tile: u32, n: u32, share: u32, lane: u32, size: u32) -> u32 {
  let first = ${firstElement};
  var own = 0u;
  ${eachItem((k) => `if (first + ${k}u * size < n) { own += u32(goes_first(read_selector(first + ${k}u * size))); }`)}
  let total = subgroupAdd(own);
  workgroupBarrier();
  if (lane == 0u) { shares[share] = total; }
  workgroupBarrier();
  return tile_total(size);
}

/** What look-back has found: everything, or all but the tiles up to missing. */
struct Found { is_all: u32, missing: u32, prefix: u32 }
var<workgroup> found: Found;

@compute @workgroup_size(${threads})
fn compact(${entryArguments(true)}) {
  ${entryHead(true, true)}
  ${countItems(true)}
  ${sumShares}
  if (thread == 0u) { post_total(tile, first_count); }

  // Each round but the last passes a tile, so that there are at most as many as tiles.
  let own_group = tile / group_tiles;
  let is_end = tile % group_tiles == group_tiles - 1u;
  var found_before = 0u;
  var look_group = own_group;
  var look_tiles = tile % group_tiles;
  var by_groups = false;
  for (var round = 0u; round <= tile; round++) {
    if (share == 0u) {
      var is_all = false;
      var waited = 0u;
      while (waited < ${patience}u) {
        if (by_groups) {
          if (look_group == 0u) {
            is_all = true;
            break;
          }
          // No branch before subgroup operations: some drivers join its parts too late.
          let is_there = lane < look_group;
          let at = look_group - 1u - min(lane, look_group - 1u);
          let total = select(0u, atomicLoad(&spine[list(0u) + at]), is_there);
          let low = select(0u, atomicLoad(&spine[list(1u) + at]), is_there);
          let high = select(0u, atomicLoad(&spine[list(2u) + at]), is_there);
          let is_goal = is_posted(low) && is_posted(high);
          let goal = subgroupMin(select(size, lane, is_goal));
          let unready = subgroupMin(select(lane, size, is_goal || is_posted(total)));
          is_all = goal < unready;
          let taken = min(goal, unready);
          found_before += subgroupAdd(select(0u, total & payload, lane < taken));
          if (is_all) {
            found_before += subgroupAdd(select(0u, (low & 0xffffu) | (high << 16u), lane == goal));
            break;
          }
          look_group -= taken;
          waited = select(0u, waited + 1u, taken == 0u);
          if (waited == ${patience}u) {
            // Whoever was to sum this group has not: its tiles one by one.
            look_group--;
            look_tiles = group_tiles;
            by_groups = false;
            waited = 0u;
          }
        } else if (look_tiles == 0u) {
          if (look_group == own_group && is_end && lane == 0u) { post_group_total(tile, found_before + first_count); }
          by_groups = true;
        } else {
          let at = look_group * group_tiles + look_tiles - 1u - min(lane, look_tiles - 1u);
          let total = select(0u, atomicLoad(&spine[at]), lane < look_tiles);
          let taken = subgroupMin(select(lane, size, is_posted(total)));
          found_before += subgroupAdd(select(0u, total & payload, lane < taken));
          look_tiles -= taken;
          waited = select(0u, waited + 1u, taken == 0u);
        }
      }
      if (thread == 0u) { found = Found(u32(is_all), look_group * group_tiles + look_tiles - 1u, found_before); }
    }
    let so_far = workgroupUniformLoad(&found);
    if (so_far.is_all != 0u) { break; }
    let again = stand_in(so_far.missing, n, share, lane, size);
    found_before += again;
    look_tiles--;
    if (thread == 0u) { post(so_far.missing, again); }
  }
  let prefix = workgroupUniformLoad(&found).prefix;
  if (thread == 0u) {
    if (is_end) { post_group_prefix(tile, prefix + first_count); }
    if (is_last) { kept[parameters.kept_lead] = prefix + first_count; }
  }
  ${writeItems(kernel)}
}
`;
}
