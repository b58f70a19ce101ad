/** The shaders of index maps. What moves is words of 4, 8 or 16 bytes; of smaller elements a thread writes whole words. */
import { effectiveIndex, type IndexMap } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { functionsWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import { noSource, sourceFunction } from "../../kernel/hypercube/source-index.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { linkFragments } from "../shader/fragment.ts";
import { type Tile, tileCount } from "./tile.ts";

const threads = 256;

/** Elements of words that a thread moves, a workgroup's width apart: 16 bytes, so that enough reads are on their way. */
const perThread = { 4: 4, 8: 2, 16: 1 } as const;

/** Words of small elements that a thread writes. */
const smallPerThread = 4;

const types = { 4: "u32", 8: "vec2u", 16: "vec4u" } as const;

export type ElementBytes = 1 | 2 | 4 | 8 | 16;

/** What one workgroup covers of the units (words, or elements where they are larger) that the kernel writes. */
export const unitsPerGroup = (bytes: ElementBytes): number =>
  threads * (bytes < 4 ? smallPerThread : perThread[bytes as 4 | 8 | 16]);

/** Units that the kernel writes. */
export const unitCount = (map: IndexMap, bytes: ElementBytes): number =>
  bytes < 4 ? Math.ceil((countOf(map.to) * bytes) / 4) : countOf(map.to);

function sourceOf(map: IndexMap) {
  const source = effectiveIndex(map);
  const callable = sourceFunction(source);
  const { declarations, nameOf } = functionsWgsl([], [callable]);
  return { declarations, call: nameOf(callable), hasZeros: source.conditions.length > 0 };
}

const entry = (body: string): string => /* wgsl */ `
@compute @workgroup_size(${threads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
${body}
}
`;

/** A loop over the units of a thread, each called k. */
function eachUnit(map: IndexMap, bytes: ElementBytes, body: string): string {
  const [units, perGroup] = [unitCount(map, bytes), unitsPerGroup(bytes)];
  return entry(/* wgsl */ `  let number = linear_group(group, groups);
  if (number >= ${Math.ceil(units / perGroup)}u) { return; }
  let first = number * ${perGroup}u;
  for (var unit = thread; unit < ${perGroup}u; unit += ${threads}u) {
    if (unit >= ${units}u - first) { return; }
    let k = first + unit;
${body}
  }`);
}

/** Reads `source`, writes `result`. */
export function moveCode(map: IndexMap, bytes: ElementBytes): string {
  const { declarations, call, hasZeros } = sourceOf(map);
  const head = (type: string) => /* wgsl */ `${linkFragments(linearGroup)}
@group(0) @binding(0) var<storage, read> source: array<${type}>;
@group(0) @binding(1) var<storage, read_write> result: array<${type}>;
${declarations}`;
  if (bytes >= 4) {
    const type = types[bytes as 4 | 8 | 16];
    const value = hasZeros ? `select(source[at], ${type}(), at == ${noSource}u)` : "source[at]";
    return head(type) + eachUnit(map, bytes, `    let at = ${call}(k);\n    result[k] = ${value};`);
  }
  const inWord = 4 / bytes;
  const [shift, mask] = [Math.log2(inWord), bytes === 1 ? 0xff : 0xffff];
  const count = countOf(map.to);
  const zero = hasZeros ? `at == ${noSource}u || ` : "";
  return `${head("u32")}
fn element(e: u32) -> u32 {
  let at = ${call}(e);
  let value = (source[at >> ${shift}u] >> ((at & ${inWord - 1}u) * ${8 * bytes}u)) & ${mask}u;
  return select(value, 0u, ${zero}e >= ${count}u);
}
${eachUnit(
  map,
  bytes,
  /* wgsl */ `    let e = k * ${inWord}u;
    result[k] = ${Array.from({ length: inWord }, (_, j) => `(element(e + ${j}u) << ${8 * bytes * j}u)`).join(" | ")};`,
)}`;
}

/**
 * As `moveCode`, through workgroup memory: a tile is read along the source's rows and written along the result's, so that both are
 * of neighbours.
 */
export function tileCode(map: IndexMap, bytes: 4 | 8 | 16, tile: Tile): string {
  const { declarations, call, hasZeros } = sourceOf(map);
  const { stride, across, along, deep, pitch } = tile;
  const columns = Math.ceil(stride / along);
  const layers = Math.ceil(across / deep);
  const value = hasZeros ? `select(source[at], ${types[bytes]}(), at == ${noSource}u)` : "source[at]";
  const each = (
    s: string,
    b: string,
    body: string,
  ) => /* wgsl */ `  for (var i = thread; i < ${along * deep}u; i += ${threads}u) {
    let s = ${s};
    let b = ${b};
    if (s < ${stride}u - first_s && b < ${across}u - first_b) { ${body} }
  }`;
  return `${linkFragments(linearGroup)}
@group(0) @binding(0) var<storage, read> source: array<${types[bytes]}>;
@group(0) @binding(1) var<storage, read_write> result: array<${types[bytes]}>;
var<workgroup> tile: array<${types[bytes]}, ${pitch * deep}>;
${declarations}${entry(/* wgsl */ `  let number = linear_group(group, groups);
  if (number >= ${tileCount(tile)}u) { return; }
  let first_s = (number % ${columns}u) * ${along}u;
  let layer = number / ${columns}u;
  let first_b = (layer % ${layers}u) * ${deep}u;
  let first = first_s + ${stride}u * (first_b + ${across}u * (layer / ${layers}u));
${each(
  `i / ${deep}u`,
  `i % ${deep}u`,
  `let at = ${call}(first + s + ${stride}u * b);
      tile[b * ${pitch}u + s] = ${value};`,
)}
  workgroupBarrier();
${each(`i % ${along}u`, `i / ${along}u`, `result[first + s + ${stride}u * b] = tile[b * ${pitch}u + s];`)}`)}`;
}

/** Exchanges elements of whole words in `words`: of a map that is its own inverse. Each pair is one thread's. */
export function exchangeCode(map: IndexMap, bytes: 4 | 8 | 16): string {
  const { declarations, call } = sourceOf(map);
  return `${linkFragments(linearGroup)}
@group(0) @binding(0) var<storage, read_write> words: array<${types[bytes]}>;
${declarations}${eachUnit(
  map,
  bytes,
  `    let at = ${call}(k);
    if (at > k) {
      let held = words[k];
      words[k] = words[at];
      words[at] = held;
    }`,
)}`;
}
