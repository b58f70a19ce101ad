import type { Fragment } from "../../../shader/fragment.ts";
import { eachItem, type TileShape, threads } from "../shape.ts";

/**
 * Ranks of a tile's items by their digits, stable, without subgroups: two rounds over 4 bits each. In a round every
 * thread counts its own neighbouring items in 16 counters of 16 bits, two a word (digit d and d + 8), and a scan of
 * all counters turns counts into places. What travels is the digit and, above it, where the item came from.
 */
export function rankByNibbles(shape: TileShape): Fragment {
  return {
    name: "rank by nibbles",
    code: /* wgsl */ `
var<private> tagged: array<u32, ${shape.items}>;
var<private> place: array<u32, ${shape.items}>;
var<workgroup> digit_counts: array<atomic<u32>, ${threads}>;

fn item_index(thread: u32, item: u32) -> u32 {
  return item * ${threads}u + thread;
}

fn place_by_nibble(thread: u32, shift: u32) {
${eachItem(shape, (k) => `  tagged[${k}] = tile_words[thread * ${shape.items}u + ${k}u];`)}
  workgroupBarrier();
  for (var r = 0u; r < 8u; r++) {
    tile_words[r * ${threads}u + thread] = 0u;
  }
${eachItem(
  shape,
  (k) => `  {
    let nibble = (tagged[${k}] >> shift) & 15u;
    let at = (nibble & 7u) * ${threads}u + thread;
    let counted = tile_words[at];
    let half = (nibble >> 3u) * 16u;
    place[${k}] = (counted >> half) & 0xffffu;
    tile_words[at] = counted + (1u << half);
  }`,
)}
  workgroupBarrier();
  var sum = 0u;
  for (var r = 0u; r < 8u; r++) {
    sum += tile_words[thread * 8u + r];
  }
  let scanned = block_scan(thread, sum);
  var running = scanned.x + (scanned.y << 16u);
  for (var r = 0u; r < 8u; r++) {
    let counted = tile_words[thread * 8u + r];
    tile_words[thread * 8u + r] = running;
    running += counted;
  }
  workgroupBarrier();
${eachItem(
  shape,
  (k) => `  {
    let nibble = (tagged[${k}] >> shift) & 15u;
    place[${k}] += (tile_words[(nibble & 7u) * ${threads}u + thread] >> ((nibble >> 3u) * 16u)) & 0xffffu;
  }`,
)}
  workgroupBarrier();
}

/** Sets each item's position in the sorted tile; returns the start and the number of the thread's own digit. */
fn rank_items(thread: u32) -> vec2u {
  atomicStore(&digit_counts[thread], 0u);
  workgroupBarrier();
${eachItem(
  shape,
  (k) => `  {
    let digit = digit_of(key[${k}]);
    let at = item_index(thread, ${k}u);
    atomicAdd(&digit_counts[digit], 1u);
    tile_words[at] = digit | (at << 8u);
  }`,
)}
  workgroupBarrier();
  place_by_nibble(thread, 0u);
${eachItem(shape, (k) => `  tile_words[place[${k}]] = tagged[${k}];`)}
  workgroupBarrier();
  place_by_nibble(thread, 4u);
${eachItem(shape, (k) => `  tile_words[tagged[${k}] >> 8u] = place[${k}];`)}
  workgroupBarrier();
${eachItem(shape, (k) => `  position[${k}] = tile_words[item_index(thread, ${k}u)];`)}
  let number = atomicLoad(&digit_counts[thread]);
  return vec2u(block_scan(thread, number).x, number);
}
`,
  };
}
