import { type CompactKernel, threads } from "./options.ts";
import {
  countItems,
  entryArguments,
  entryHead,
  sumShares,
  tileCode,
  writeItems,
  writerCode,
} from "./tile.ts";

/** How many elements of each tile go first. Entry point count_tiles. */
export const countTilesCode = (kernel: CompactKernel, subgroups: boolean): string => /* wgsl */ `
${tileCode(kernel, subgroups)}
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(${threads})
fn count_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups, false)}
  ${countItems(subgroups)}
  if (thread == 0u) { counts[tile] = tile_total(size); }
}
`;

/** Writes the tiles, from what the scan of their counts says on. Entry point write_tiles. */
export const writeTilesCode = (kernel: CompactKernel, subgroups: boolean): string => /* wgsl */ `
${tileCode(kernel, subgroups)}
${writerCode(kernel)}
@group(0) @binding(5) var<storage, read> places: array<u32>;

@compute @workgroup_size(${threads})
fn write_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups, true)}
  ${countItems(subgroups)}
  ${sumShares}
  var prefix = 0u;
  if (tile > 0u) { prefix = places[tile - 1u]; }
  if (is_last && thread == 0u) { kept[parameters.kept_lead] = prefix + first_count; }
  let rest = places[(n - 1u) / tile_size] + tile * tile_size - prefix;
  ${writeItems(kernel)}
}
`;
