import type { CompactKernel, TileShape } from "./options.ts";
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
export const countTilesCode = (kernel: CompactKernel, shape: TileShape): string => /* wgsl */ `
${tileCode(kernel, shape)}
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(${shape.threads})
fn count_tiles(${entryArguments(shape)}) {
  ${entryHead(shape, false)}
  ${countItems(shape)}
  if (thread == 0u) { counts[tile] = tile_total(size); }
}
`;

/** Writes the tiles, from what the scan of their counts says on. Entry point write_tiles. */
export const writeTilesCode = (kernel: CompactKernel, shape: TileShape): string => /* wgsl */ `
${tileCode(kernel, shape)}
${writerCode(kernel)}
@group(0) @binding(5) var<storage, read> places: array<u32>;

@compute @workgroup_size(${shape.threads})
fn write_tiles(${entryArguments(shape)}) {
  ${entryHead(shape, true)}
  ${countItems(shape)}
  ${sumShares}
  var prefix = 0u;
  if (tile > 0u) { prefix = places[tile - 1u]; }
  if (is_last && thread == 0u) { kept[parameters.kept_lead] = prefix + first_count; }
  let rest = places[(n - 1u) / tile_size] + tile * tile_size - prefix;
  ${writeItems(kernel, shape)}
}
`;
