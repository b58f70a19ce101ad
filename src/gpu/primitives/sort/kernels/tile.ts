import { readCount } from "../../../compute/count.ts";
import { linearGroup } from "../../../shader/dispatch.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { orderedBits } from "../ordered-bits.ts";
import { passParameters } from "../parameters.ts";
import { eachItem, type TileShape, threads, tileSize } from "../shape.ts";
import { blockScan } from "./block-scan.ts";
import { rankByBallots } from "./rank-ballots.ts";
import { rankByNibbles } from "./rank-nibbles.ts";

/** What the kernel's file begins with. Subgroups are whole where kernels branch by them, which WGSL cannot see. */
export const preamble = ({ subgroups }: TileShape): string =>
  subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n" : "";

/** Built-in inputs of every entry point, and what it begins with. */
export const entryInputs = ({ subgroups }: TileShape): string => `
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,${
    subgroups
      ? `
  @builtin(subgroup_invocation_id) own_lane: u32,
  @builtin(subgroup_size) own_lanes: u32,`
      : ""
  }`;

export const entryStart = ({ subgroups }: TileShape): string =>
  `  let group = linear_group(group_id, group_counts);${subgroups ? "\n  lane = own_lane;\n  lanes = own_lanes;" : ""}`;

const convert = (flag: string, converted: string, otherwise: string): string => /* wgsl */ `
  if (sorting.${flag} == 0u) {
    return ${otherwise};
  }
  return ${converted};`;

/**
 * The keys at binding 2 as ordered bits, and their digits. The count is at binding 1. Where `areOrdered`, the words
 * read and written are keys in ordered form already.
 */
export const keysIn = (areOrdered = false): Fragment => ({
  name: areOrdered ? "ordered keys of a sort" : "keys of a sort",
  requires: [passParameters, readCount(1), orderedBits, linearGroup],
  code: /* wgsl */ `
@group(0) @binding(2) var<storage, read> keys_in: array<u32>;

fn read_word(index: u32) -> u32 {
  return keys_in[sorting.keys_lead + index];
}

/** The key of a word. Where several are read, words first: behind a branch reads would wait for each other. */
fn key_of(word: u32) -> u32 {
  ${areOrdered ? "return word;" : convert("encode", "to_ordered(word, sorting.key_type) ^ sorting.complement", "word")}
}

fn read_key(index: u32) -> u32 {
  return key_of(read_word(index));
}

/** The word of a key, where the caller's are written. */
fn word_of(key: u32) -> u32 {
  ${areOrdered ? "return key;" : convert("decode", "from_ordered(key ^ sorting.complement, sorting.key_type)", "key")}
}

fn digit_of(key: u32) -> u32 {
  return (key >> sorting.shift) & sorting.mask;
}
`,
});

const valueBindings = (first: number) => `
@group(0) @binding(${first}) var<storage, read> values_in: array<u32>;
@group(0) @binding(${first + 1}) var<storage, read_write> values_out: array<u32>;

fn read_value(index: u32) -> u32 {
  if (sorting.iota != 0u) {
    return index;
  }
  return values_in[sorting.values_lead + index];
}
`;

/** A tile of keys in registers, ranked; `exchange` brings words to their positions in it. */
function tileOfKeys(shape: TileShape): Fragment {
  const size = tileSize(shape);
  const rank = shape.subgroups ? rankByBallots(shape) : rankByNibbles(shape);
  const words: Fragment = {
    name: "tile words",
    code: `var<workgroup> tile_words: array<u32, ${Math.max(size, 8 * threads)}>;
var<private> key: array<u32, ${shape.items}>;
var<private> position: array<u32, ${shape.items}>;`,
  };
  return {
    name: "tile of keys",
    requires: [keysIn(), blockScan(shape.subgroups), words, rank],
    code: /* wgsl */ `
/** Keys beyond the last are the greatest, and stay behind it. */
fn load_tile(thread: u32, first: u32, count: u32) {
${eachItem(shape, (k) => `  let at${k} = first + item_index(thread, ${k}u);`)}
${eachItem(shape, (k) => `  let word${k} = read_word(min(at${k}, count - 1u));`)}
${eachItem(shape, (k) => `  key[${k}] = select(0xffffffffu, key_of(word${k}), at${k} < count);`)}
}
`,
  };
}

/** Writes a ranked tile to where its digits begin: keys at binding 3, values behind `valuesAt`. */
export function scatterTile(shape: TileShape, valuesAt: number | undefined): Fragment {
  const size = tileSize(shape);
  const withValues = valuesAt !== undefined;
  return {
    name: "scatter a tile",
    requires: [tileOfKeys(shape)],
    code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
${withValues ? valueBindings(valuesAt) : ""}
/** Where a digit's first key of this tile goes, less the key's position in the tile. */
var<workgroup> digit_offsets: array<u32, ${threads}>;
${withValues ? `var<private> destination: array<u32, ${shape.items}>;` : ""}

fn write_key(index: u32, key: u32) {
  keys_out[sorting.sorted_lead + index] = word_of(key);
}

fn scatter_tile(thread: u32, first: u32, count: u32, offset: u32) {
  digit_offsets[thread] = offset;
${eachItem(shape, (k) => `  tile_words[position[${k}]] = key[${k}];`)}
  workgroupBarrier();
  let valid = min(count - first, ${size}u);
${eachItem(
  shape,
  (k) => `  {
    let at = ${k * threads}u + thread;
    if (at < valid) {
      let word = tile_words[at];
      let goal = digit_offsets[digit_of(word)] + at;
      write_key(goal, word);${withValues ? `\n      destination[${k}] = goal;` : ""}
    }
  }`,
)}
  workgroupBarrier();
${
  withValues
    ? `${eachItem(
        shape,
        (k) => `  {
    let at = first + item_index(thread, ${k}u);
    if (at < count) {
      tile_words[position[${k}]] = read_value(at);
    }
  }`,
      )}
  workgroupBarrier();
${eachItem(
  shape,
  (k) => `  if (${k * threads}u + thread < valid) {
    values_out[sorting.sorted_values_lead + destination[${k}]] = tile_words[${k * threads}u + thread];
  }`,
)}
  workgroupBarrier();`
    : ""
}
}
`,
  };
}
