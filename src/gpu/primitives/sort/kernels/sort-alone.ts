import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { digitBits, type SweepShape, sweepSize } from "../shape.ts";
import { clearRanks, each, rankedTile, rankTile } from "./rank-tile.ts";
import { keysIn } from "./tile.ts";

/**
 * All passes over one tile in one workgroup: 8 bytes a key, and 8 a value. Bindings as those of `sweepDigits`, without
 * starts and states. Needs subgroups.
 */
export function sortAlone(shape: SweepShape, withValues: boolean): string {
  const { items } = shape;
  const eachItem = (code: (k: number) => string) => each(items, code);
  const exchange = (name: string) => /* wgsl */ `
    ${eachItem((k) => `atomicStore(&words[place${k}], ${name}${k});`)}
    workgroupBarrier();
    ${eachItem((k) => `${name}${k} = atomicLoad(&words[slot + ${k}u * lanes]);`)}
    workgroupBarrier();`;
  const entry: Fragment = {
    name: "sort alone",
    requires: [keysIn(), rankedTile(shape)],
    code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
${
  withValues
    ? `@group(0) @binding(4) var<storage, read> values_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;`
    : ""
}

@compute @workgroup_size(${shape.threads})
fn sort_alone(
  @builtin(local_invocation_index) thread: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let count = min(read_count(sorting.count_word, sorting.max_count), ${sweepSize(shape)}u);
  if (count == 0u) { return; }
  // Keys beyond the last are the greatest, and stay behind it.
  let slot = (thread - lane) * ${items}u + lane;
  ${eachItem((k) => `let word${k} = read_word(min(slot + ${k}u * lanes, count - 1u));`)}
  ${eachItem((k) => `var key${k} = select(0xffffffffu, key_of(word${k}), slot + ${k}u * lanes < count);`)}
  ${
    withValues
      ? eachItem(
          (k) => `var value${k} = slot + ${k}u * lanes;
  if (sorting.iota == 0u && value${k} < count) { value${k} = values_in[sorting.values_lead + value${k}]; }`,
        )
      : ""
  }
  for (var number = 0u; number < sorting.groups; number++) {
    let from_bit = sorting.shift + ${digitBits}u * number;
    let mask = (1u << min(${digitBits}u, max(sorting.last_bit, from_bit) - from_bit)) - 1u;
    let shift = min(from_bit, 31u);
    ${clearRanks(shape)}
    ${rankTile(shape, (k) => `((key${k} >> shift) & mask)`, "")}
    ${exchange("key")}
    ${withValues ? exchange("value") : ""}
  }
  ${eachItem(
    (k) => /* wgsl */ `if (slot + ${k}u * lanes < count) {
    keys_out[sorting.sorted_lead + slot + ${k}u * lanes] = word_of(key${k});
    ${withValues ? `values_out[sorting.sorted_values_lead + slot + ${k}u * lanes] = value${k};` : ""}
  }`,
  )}
}
`,
  };
  return `enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n${linkFragments(entry)}`;
}
