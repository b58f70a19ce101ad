import { add } from "../../../core/primitives/operators.ts";
import { chainedSpineWords, lookBack, spineCode } from "../scan/look-back.ts";
import type { TileKernel } from "../scan/options.ts";
import { stateCode, stateShuffle } from "../scan/state.ts";
import { type CompactKernel, eachItem, firstElement, type TileShape } from "./options.ts";
import { countPairs, pairsIn, writePairs } from "./pairs.ts";
import {
  countItems,
  entryArguments,
  entryHead,
  sumShares,
  tileCode,
  writeItems,
  writerCode,
} from "./tile.ts";

/** What is scanned: the tiles' counts. */
const counts: TileKernel = { type: "u32", operator: add };

/** Words of the spine of so many tiles. */
export const spineWords = (tiles: number): number => chainedSpineWords(counts, tiles);

/** Compaction in one dispatch, by a chained scan of the tiles' counts. Entry point compact; needs subgroups. */
export function chainedCode(kernel: CompactKernel, shape: TileShape): string {
  const isPaired = shape.lanes !== undefined;
  const selectorLead = `parameters.${kernel.selection === "stencil" ? "stencil_lead" : "source_lead"}`;
  const isSilent = "parameters.silent != 0u && tile % max(parameters.silent, 1u) == parameters.silent - 1u";
  return /* wgsl */ `${tileCode(kernel, shape)}
${stateCode(counts)}
${stateShuffle(counts, "subgroupShuffle")}
${spineCode(counts, isSilent)}
${writerCode(kernel)}
${isPaired ? pairsIn : ""}

/** The count of a tile that has not posted it. */
fn stand_in(tile: u32, n: u32, share: u32, lane: u32, size: u32) -> u32 {
  let first = ${firstElement(shape)};
  var own = 0u;
  ${eachItem(shape, (k) => `own += u32(goes_first(read_selector(min(first + ${k}u * size, n - 1u))) & (first + ${k}u * size < n));`)}
  let total = subgroupAdd(own);
  workgroupBarrier();
  if (lane == 0u) { shares[share] = total; }
  workgroupBarrier();
  return tile_total(size);
}

@compute @workgroup_size(${shape.threads})
fn compact(${entryArguments(shape)}) {
  ${entryHead(shape, true)}
  ${isPaired ? countPairs(shape, selectorLead) : countItems(shape)}
  ${sumShares}
  let total = first_count;
  ${lookBack(counts)}
  let prefix = select(0u, found_prefix, tile > 0u);
  if (is_last && thread == 0u) { kept[parameters.kept_lead] = prefix + first_count; }
  ${isPaired ? writePairs(shape) : writeItems(kernel, shape)}
}
`;
}
