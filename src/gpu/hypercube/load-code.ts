/** `load_group(…)`, which makes a group of neighbouring elements of what is loaded. */
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { functionsWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import { noSource, type SourceIndex, sourceFunction } from "../../kernel/hypercube/source-index.ts";
import { type SourceAccess, sourceCode, types } from "./access.ts";
import { type GroupLoads, groupLoads } from "./group-loads.ts";

export interface LoadCode {
  /** With the source's bindings. */
  readonly code: string;
  readonly bindings: number;
}

/**
 * The function of the coordinates, which the sources are expressions of. Its value has the elements' bytes together. Textures hold
 * words, which are loaded one by one.
 */
export function loadCode(
  map: IndexMap,
  sources: readonly SourceIndex[],
  bytes: 4 | 8 | 16,
  access: SourceAccess,
  coordinates: readonly string[],
  shared: SourceIndex["conditions"] = [],
): LoadCode {
  const hasVectors = access.kind === "buffer" && countOf(map.from) % sources.length === 0;
  const group = groupLoads(sources, hasVectors, shared);
  const callables = group.loads.map((load) => sourceFunction(load, "source_index", coordinates));
  const { declarations, nameOf } = functionsWgsl([], callables);
  const loaded = (group.width * bytes) as 4 | 8 | 16;
  const source = sourceCode(access, loaded);
  const call = (k: number) => `${nameOf(callables[k])}(${coordinates.join(", ")})`;
  // What the shared conditions leave out is written nowhere.
  const hasZeros = sources.some(({ conditions }) => conditions.length > 0);
  const lines = group.loads.map((_, k) => {
    const value = `load_source(at_${k})`;
    const orZero = hasZeros ? `select(${value}, ${types[loaded]}(), at_${k} == ${noSource}u)` : value;
    return `  let at_${k} = ${call(k)};\n  let from_${k} = ${orZero};`;
  });
  const type = types[(sources.length * bytes) as 4 | 8 | 16];
  return {
    bindings: source.bindings,
    code: /* wgsl */ `${source.code}
${declarations}
fn load_group(${coordinates.map((name) => `${name}: u32`).join(", ")}) -> ${type} {
${lines.join("\n")}
  return ${type}(${groupText(group, bytes)});
}`,
  };
}

/** The elements of the group, side by side. */
const groupText = ({ width, parts }: GroupLoads, bytes: 4 | 8 | 16): string =>
  parts.map(({ load, element }) => elementOf(`from_${load}`, element, width, bytes)).join(", ");

/** An element of so many bytes of a vector of `width` of them. */
export function elementOf(vector: string, element: number, width: number, bytes: 4 | 8 | 16): string {
  if (width === 1) return vector;
  return `${vector}.${bytes === 4 ? "xyzw"[element] : ["xy", "zw"][element]}`;
}
