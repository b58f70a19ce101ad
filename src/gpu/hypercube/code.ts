/** The shaders of index maps. What moves is words of 4, 8 or 16 bytes; of smaller elements a thread writes whole words. */
import {
  coordinatesOf,
  effectiveIndex,
  flatIndex,
  type IndexMap,
  sourceExpression,
} from "../../core/hypercube/index-map.ts";
import { axisOf, scaled, sumOf } from "../../core/hypercube/linear.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { functionsWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import { noSource, sourceFunction } from "../../kernel/hypercube/source-index.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { linkFragments } from "../shader/fragment.ts";
import { type BufferAccess, bufferCode, type SourceAccess, sourceCode } from "./access.ts";
import { loadCode } from "./load-code.ts";

export const threads = 256;

/** Units of a thread where it cannot write 16 bytes at once, a workgroup's width apart, so that enough reads are on their way. */
const perThread = 4;

export type ElementBytes = 1 | 2 | 4 | 8 | 16;

/** Where the elements of a rearrangement are. */
export interface Accesses {
  readonly source: SourceAccess;
  readonly result: BufferAccess;
}

/** A shader, and the workgroups that do the whole work. */
export interface KernelCode {
  readonly code: string;
  readonly groups: number;
}

/** An entry point of so many workgroups, whose body knows its `number` and its `thread`. */
export const entry = (groups: number, body: string): string => /* wgsl */ `
@compute @workgroup_size(${threads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let number = linear_group(group, groups);
  if (number >= ${groups}u) { return; }
${body}
}
`;

function sourceOf(map: IndexMap) {
  const source = effectiveIndex(map);
  const callable = sourceFunction(source);
  const { declarations, nameOf } = functionsWgsl([], [callable]);
  return { declarations, call: nameOf(callable), hasZeros: source.conditions.length > 0 };
}

/** A thread's units, called k_0, k_1, …: what is read for each, though it may lie beyond the last, then what is kept of those there are. */
function eachUnit(
  units: number,
  read: (k: string, j: number) => string,
  keep: (k: string, j: number) => string,
): KernelCode {
  const perGroup = threads * perThread;
  const groups = Math.ceil(units / perGroup);
  const lines = (text: typeof read) =>
    Array.from({ length: perThread }, (_, j) => text(`k_${j}`, j)).join("\n");
  return {
    groups,
    code: entry(
      groups,
      /* wgsl */ `  let first = number * ${perGroup}u;
${lines((k, j) => `  let ${k} = first + ${j * threads}u + thread;\n${read(k, j)}`)}
${lines((k, j) => `  if (${j * threads}u + thread < ${units}u - first) { ${keep(k, j)} }`)}`,
    ),
  };
}

/** Reads the source, writes the result, 16 bytes a thread where it has whole groups of as many. */
export function moveCode(map: IndexMap, bytes: ElementBytes, accesses: Accesses): KernelCode {
  if (bytes < 4) return smallCode(map, bytes as 1 | 2, accesses);
  const words = bytes as 4 | 8 | 16;
  const count = countOf(map.to);
  const width = 16 / bytes;
  if (count % width !== 0) return unitsCode(map, words, accesses);
  const sources = Array.from({ length: width }, (_, element) => {
    const k = sumOf([scaled(axisOf(0, count / width), width)], element);
    const { coordinates, conditions } = sourceExpression(map, coordinatesOf(map.to, k));
    return { index: flatIndex(map.from, coordinates), conditions };
  });
  const source = loadCode(map, sources, words, accesses.source, ["k"]);
  const groups = Math.ceil(count / width / threads);
  return {
    groups,
    code: `${linkFragments(linearGroup)}
${source.code}
${bufferCode("result", "read_write", accesses.result, 16, source.bindings).code}
${entry(
  groups,
  /* wgsl */ `  let k = number * ${threads}u + thread;
  if (k < ${count / width}u) { store_result(k, load_group(k)); }`,
)}`,
  };
}

function unitsCode(map: IndexMap, bytes: 4 | 8 | 16, { source, result }: Accesses): KernelCode {
  const load = loadCode(map, [effectiveIndex(map)], bytes, source, ["k"]);
  const { code, groups } = eachUnit(
    countOf(map.to),
    (k, j) => `  let value_${j} = load_group(${k});`,
    (k, j) => `store_result(${k}, value_${j});`,
  );
  return {
    groups,
    code: `${linkFragments(linearGroup)}
${load.code}
${bufferCode("result", "read_write", result, bytes, load.bindings).code}
${code}`,
  };
}

function smallCode(map: IndexMap, bytes: 1 | 2, accesses: Accesses): KernelCode {
  const { declarations, call, hasZeros } = sourceOf(map);
  const source = sourceCode(accesses.source, 4);
  const inWord = 4 / bytes;
  const [shift, mask] = [Math.log2(inWord), bytes === 1 ? 0xff : 0xffff];
  const count = countOf(map.to);
  const zero = hasZeros ? `at == ${noSource}u || ` : "";
  const word = (k: string) =>
    Array.from(
      { length: inWord },
      (_, j) => `(element(${k} * ${inWord}u + ${j}u) << ${8 * bytes * j}u)`,
    ).join(" | ");
  const { code, groups } = eachUnit(
    Math.ceil(count / inWord),
    (k, j) => `  let value_${j} = ${word(k)};`,
    (k, j) => `store_result(${k}, value_${j});`,
  );
  return {
    groups,
    code: `${linkFragments(linearGroup)}
${source.code}
${bufferCode("result", "read_write", accesses.result, 4, source.bindings).code}
${declarations}
fn element(e: u32) -> u32 {
  let at = ${call}(e);
  let value = (load_source(at >> ${shift}u) >> ((at & ${inWord - 1}u) * ${8 * bytes}u)) & ${mask}u;
  return select(value, 0u, ${zero}e >= ${count}u);
}
${code}`,
  };
}

/** Exchanges elements of whole words in `words`: of a map that is its own inverse. Each pair is one thread's. */
export function exchangeCode(map: IndexMap, bytes: 4 | 8 | 16, access: BufferAccess): KernelCode {
  const { declarations, call } = sourceOf(map);
  const { code, groups } = eachUnit(
    countOf(map.to),
    (k, j) => `  let at_${j} = ${call}(${k});`,
    (k, j) => /* wgsl */ `
    if (at_${j} > ${k}) {
      let held = load_words(${k});
      store_words(${k}, load_words(at_${j}));
      store_words(at_${j}, held);
    }
  `,
  );
  return {
    groups,
    code: `${linkFragments(linearGroup)}
${bufferCode("words", "read_write", access, bytes).code}
${declarations}
${code}`,
  };
}
