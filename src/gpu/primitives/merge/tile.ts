import { linearGroup } from "../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { orderKeyOf } from "../base/order.ts";

export const threads = 256;
/** Elements of a thread: odd, so that threads which walk through their elements together do not meet in a bank. */
const itemsPerThread = 15;
/** Elements of the result that a workgroup makes: 15 KiB of workgroup memory. */
export const tileSize = threads * itemsPerThread;

/** Words before the first boundary: how many elements `a` and `b` have. */
export const splitHead = 2;

/** A divisor of a thread's elements: what it loads before it waits for any. */
const loadsInFlight = 5;

const repeat = (count: number, code: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => code(k)).join("\n  ");
const eachLoad = (code: (load: number) => string): string => repeat(loadsInFlight, code);
/** The same code for each of a thread's elements. */
export const eachItem = (code: (item: number) => string): string => repeat(itemsPerThread, code);

/** The order of the type that the parameters tell, for kernels that serve every type. */
export const anyOrder: Fragment = {
  name: "order of the elements",
  code: "fn order_key(word: u32) -> u32 { return order_key_of(word, parameters.type_number); }",
  requires: [orderKeyOf],
};

/**
 * What kernels over two ascending vectors share, following Green, McCool and Bader's GPU merge path: a tile of the
 * merged sequence is a range of `a` and a range of `b`, which split_tiles found. In the merged sequence an element of
 * `a` comes before its equals in `b`. `order` has `order_key`; `splits` holds `splitWords` words for each boundary.
 */
export const mergeTileCode = (order: Fragment, splitWords: number): string => /* wgsl */ `
struct Parameters {
  a_lead: u32,
  b_lead: u32,
  output_lead: u32,
  a_values_lead: u32,
  b_values_lead: u32,
  output_values_lead: u32,
  total_lead: u32,
  tiles: u32,
  type_number: u32,
  keeps_pairs: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
${linkFragments(order, linearGroup)}
@group(0) @binding(1) var<storage, read> splits: array<u32>;
@group(0) @binding(2) var<storage, read> a: array<u32>;
@group(0) @binding(3) var<storage, read> b: array<u32>;

const tile_size = ${tileSize}u;
const items = ${itemsPerThread}u;
var<workgroup> tile_words: array<u32, tile_size>;

/** Elements from a0 on of \`a\` and b0 on of \`b\`, so many in all: the former lie first in \`tile_words\`. */
struct Tile { a0: u32, b0: u32, a_count: u32, count: u32 }

fn find_tile(tile: u32) -> Tile {
  let n = splits[0] + splits[1];
  let first = min(tile * tile_size, n);
  let count = min(tile_size, n - first);
  if (count == 0u) { return Tile(); }
  let at = ${splitHead}u + ${splitWords}u * tile;
  let a0 = splits[at];
  return Tile(a0, first - a0, splits[at + ${splitWords}u] - a0, count);
}

fn load_item(t: Tile, i: u32) -> u32 {
  if (i < t.a_count) { return a[parameters.a_lead + t.a0 + i]; }
  if (i < t.count) { return b[parameters.b_lead + t.b0 + i - t.a_count]; }
  return 0u;
}

fn load_tile(t: Tile, thread: u32) {
  for (var i = thread; i < tile_size; i += ${loadsInFlight * threads}u) {
    ${eachLoad((k) => `let word${k} = load_item(t, i + ${k * threads}u);`)}
    ${eachLoad((k) => `tile_words[i + ${k * threads}u] = word${k};`)}
  }
}

fn key_in_tile(i: u32) -> u32 { return order_key(tile_words[min(i, tile_size - 1u)]); }

/** How many of the tile's first d elements are of \`a\`. */
fn split_tile(t: Tile, d: u32) -> u32 {
  let b_count = t.count - t.a_count;
  var low = d - min(d, b_count);
  var high = min(d, t.a_count);
  while (low < high) {
    let middle = (low + high) / 2u;
    if (key_in_tile(middle) <= key_in_tile(t.a_count + d - 1u - middle)) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}
`;
