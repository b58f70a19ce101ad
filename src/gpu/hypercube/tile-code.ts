/** The shader that takes a map through tiles in workgroup memory: reads and writes are both of neighbours. */
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { functionsWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import { noSource, sourceFunction } from "../../kernel/hypercube/source-index.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { linkFragments } from "../shader/fragment.ts";
import { bufferCode, types } from "./access.ts";
import { type Accesses, entry, type KernelCode, threads } from "./code.ts";
import { elementOf, loadCode } from "./load-code.ts";
import { padded, paddingOf } from "./padding.ts";
import { type Tile, tileCount, tileSize } from "./tile.ts";
import { tileIndex } from "./tile-index.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** As `moveCode`, through tiles. */
export function tileCode(map: IndexMap, bytes: 4 | 8 | 16, tile: Tile, accesses: Accesses): KernelCode {
  const { widths } = tile;
  const { sources, place, steps, result, inside } = tileIndex(map, tile);
  const size = tileSize(tile);
  const groups = tileCount(tile);
  const shift = paddingOf(place, widths, size, bytes);
  const load = loadCode(map, sources, bytes, accesses.source, ["u", "number"], inside.source);
  const read = types[(widths.source * bytes) as 4 | 8 | 16];
  const written = (widths.result * bytes) as 4 | 8 | 16;
  const placeOf = sourceFunction({ index: place, conditions: [] }, "place_of", ["u"]);
  const targetOf = sourceFunction({ index: result, conditions: inside.result }, "result_index", [
    "u",
    "number",
  ]);
  const { declarations, nameOf } = functionsWgsl([], [placeOf, targetOf]);
  /** What is done with each group of a thread, the last of which not all threads have. */
  const each = (
    width: number,
    text: (u: string, k: number) => string,
    before: (k: number) => string = () => "",
  ): string =>
    range(Math.ceil(size / width / threads))
      .map((k) => {
        const done = text(`thread + ${k * threads}u`, k);
        const isFull = (k + 1) * threads * width <= size;
        return `${before(k)}${isFull ? done : `if (thread + ${k * threads}u < ${size / width}u) { ${done} }`}`;
      })
      .join("\n  ");
  const value = range(widths.result).map((j) => `tile[padded(t + ${j}u)]`);
  return {
    groups,
    code: `${linkFragments(linearGroup)}
${load.code}
${bufferCode("result", "read_write", accesses.result, written, load.bindings).code}
var<workgroup> tile: array<${types[bytes]}, ${padded(size - 1, shift) + 1}>;
fn padded(t: u32) -> u32 { return t + (t >> ${shift}u); }
${declarations}
fn store_group(u: u32, number: u32) {
  let at = ${nameOf(targetOf)}(u, number);
  let t = ${widths.result}u * u;
  ${inside.result.length > 0 ? `if (at == ${noSource}u) { return; }` : ""}
  store_result(at${widths.result > 1 ? ` / ${widths.result}u` : ""}, ${types[written]}(${value.join(", ")}));
}
fn keep_group(u: u32, value: ${read}) {
  let t = ${nameOf(placeOf)}(u);
${steps.map((step, j) => `  tile[padded(t + ${step}u)] = ${elementOf("value", j, widths.source, bytes)};`).join("\n")}
}
${entry(
  groups,
  /* wgsl */ `  ${each(
    widths.source,
    (u, k) => `group_${k} = load_group(${u}, number);`,
    (k) => `var group_${k}: ${read}; `,
  )}
  ${each(widths.source, (u, k) => `keep_group(${u}, group_${k});`)}
  workgroupBarrier();
  ${each(widths.result, (u) => `store_group(${u}, number);`)}`,
)}`,
  };
}
