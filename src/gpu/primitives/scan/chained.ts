import { lookBack, spineCode } from "./look-back.ts";
import type { TileKernel, TileShape } from "./options.ts";
import { entryArguments, entryHead, scanRows, storeRows, tileCode } from "./tile.ts";
import { valueType } from "./values.ts";

/**
 * Single-pass scan with decoupled fallback, one dispatch. Entry point scan_chained; needs subgroups. `silent`: every so
 * manyth tile never posts (for tests).
 */
export function chainedCode(kernel: TileKernel, shape: TileShape, silent = 0): string {
  const isSilent = silent ? `tile % ${silent}u == ${silent - 1}u` : "";
  return /* wgsl */ `${tileCode(kernel, shape, true)}
${spineCode(kernel, isSilent)}

/** The total of a tile that has not posted it. */
fn stand_in(tile: u32, n: u32, share: u32, lane: u32, size: u32) -> State {
  var total = make_state(${valueType(kernel)}(), 0u);
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

@compute @workgroup_size(${shape.threads})
fn scan_chained(${entryArguments(true)}) {
  ${entryHead(kernel, shape, true)}
  ${scanRows(kernel, shape)}
  var total = mine;
  if (share == 0u) { total = tile_total(size); }
  ${lookBack(kernel)}
  let tile_prefix = found_prefix;
  ${storeRows(shape)}
}
`;
}
