import { type CompactKernel, type TileShape, threads } from "./options.ts";
import { countRows, entryArguments, entryHead, stageRows, tileCode, writerCode } from "./tile.ts";

/** How many elements of each tile go first. Entry point count_tiles. */
export const countTilesCode = (kernel: CompactKernel, shape: TileShape): string => /* wgsl */ `
${tileCode(kernel, shape)}
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(${threads})
fn count_tiles(${entryArguments(shape.subgroups)}) {
  ${entryHead(shape.subgroups, false)}
  ${countRows(shape)}
  workgroupBarrier();
  if (thread == 0u) { counts[tile] = tile_total(size); }
}
`;

/** Writes the tiles, from what the scan of their counts says on. Entry point write_tiles. */
export const writeTilesCode = (kernel: CompactKernel, shape: TileShape): string => /* wgsl */ `
${tileCode(kernel, shape)}
${writerCode(kernel)}
@group(0) @binding(5) var<storage, read> places: array<u32>;

@compute @workgroup_size(${threads})
fn write_tiles(${entryArguments(shape.subgroups)}) {
  ${entryHead(shape.subgroups, true)}
  ${countRows(shape)}
  workgroupBarrier();
  ${stageRows(shape)}
  workgroupBarrier();
  var prefix = 0u;
  if (tile > 0u) { prefix = places[tile - 1u]; }
  if (is_last && thread == 0u) { kept[parameters.kept_lead] = prefix + first_count; }
  let all_first = places[(n - 1u) / tile_size];
  write_tile(tile, n, thread, first_count, prefix, all_first + tile * tile_size - prefix);
}
`;
