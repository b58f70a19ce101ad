import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

export const threads = 256;
/** Elements (words, where elements have several) that a thread moves: random access keeps memory busy with few. */
export const perThread = 2;
/** Indices that a thread checks. */
export const checkedPerThread = 8;

const head = /* wgsl */ `${linkFragments(linearGroup)}
struct Parameters {
  count_word: u32,
  max_count: u32,
  map_lead: u32,
  stencil_lead: u32,
  source_lead: u32,
  source_length: u32,
  target_lead: u32,
  fallback_lead: u32,
  /** Index of the first element of a part. */
  first: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> map: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }
`;

const entry = (name: string) => /* wgsl */ `
@compute @workgroup_size(${threads})
fn ${name}(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
)`;

const each = (code: (k: number) => string) =>
  Array.from({ length: perThread }, (_, k) => code(k)).join("\n  ");

/** Element and part of word w, in so many words an element. */
const place = (words: number, k: number) =>
  words === 1 ? `let e${k} = w${k};` : `let e${k} = w${k} / ${words}u; let part${k} = w${k} % ${words}u;`;
const wordOf = (words: number, index: string, k: number) =>
  words === 1 ? index : `${index} * ${words}u + part${k}`;

/**
 * Entry point gather: target[i] = source[map[i]], 0 where that is out of range; where a stencil is 0, fallback[i]. Of a
 * vector's part, indices are the vector's, and all parts but the first leave alone what is out of range.
 */
export function gatherCode(words: number, hasStencil: boolean, isPart: boolean): string {
  const isOwn = (k: number) =>
    isPart
      ? `let is_own${k} = from${k} < parameters.source_length || parameters.first == 0u${hasStencil ? ` || stencil[parameters.stencil_lead + e${k}] == 0u` : ""};`
      : "";
  const sourceWord = (k: number) => `parameters.source_lead + ${wordOf(words, `from${k}`, k)}`;
  return /* wgsl */ `${head}
@group(0) @binding(3) var<storage, read> source: array<u32>;
@group(0) @binding(4) var<storage, read_write> target_words: array<u32>;
${
  hasStencil
    ? `@group(0) @binding(5) var<storage, read> stencil: array<u32>;
@group(0) @binding(6) var<storage, read> fallback: array<u32>;`
    : ""
}
${entry("gather")} {
  let n = read_count() * ${words}u;
  let first = linear_group(group, groups) * ${threads * perThread}u + thread;
  if (first >= n) { return; }
  ${each((k) => `let w${k} = min(first + ${k * threads}u, n - 1u); ${place(words, k)}`)}
  ${each((k) => `let from${k} = map[parameters.map_lead + e${k}]${isPart ? " - parameters.first" : ""};`)}
  ${each(isOwn)}
  ${each((k) => `var y${k} = 0u; if (from${k} < parameters.source_length) { y${k} = source[${sourceWord(k)}]; }`)}
  ${
    hasStencil
      ? each(
          (k) =>
            `if (stencil[parameters.stencil_lead + e${k}] == 0u) { y${k} = fallback[parameters.fallback_lead + w${k}]; }`,
        )
      : ""
  }
  ${each((k) => `if (first + ${k * threads}u < n${isPart ? ` && is_own${k}` : ""}) { target_words[parameters.target_lead + w${k}] = y${k}; }`)}
}
`;
}

/**
 * Entry point scatter: target[map[i]] = source[i]; indices out of range, and elements whose stencil is 0, are passed
 * over. `source_length` is the target's. To a vector's part, indices are the vector's.
 */
export function scatterCode(words: number, hasStencil: boolean, isPart: boolean): string {
  const targetWord = (k: number) => `parameters.target_lead + ${wordOf(words, `to${k}`, k)}`;
  return /* wgsl */ `${head}
@group(0) @binding(3) var<storage, read> source: array<u32>;
@group(0) @binding(4) var<storage, read_write> target_words: array<u32>;
${hasStencil ? "@group(0) @binding(5) var<storage, read> stencil: array<u32>;" : ""}
${entry("scatter")} {
  let n = read_count() * ${words}u;
  let first = linear_group(group, groups) * ${threads * perThread}u + thread;
  if (first >= n) { return; }
  ${each((k) => `let w${k} = min(first + ${k * threads}u, n - 1u); ${place(words, k)}`)}
  ${each((k) => `let x${k} = source[parameters.source_lead + w${k}];`)}
  ${each((k) => `let to${k} = map[parameters.map_lead + e${k}]${isPart ? " - parameters.first" : ""};`)}
  ${each(
    (k) =>
      `if (first + ${k * threads}u < n && to${k} < parameters.source_length${hasStencil ? ` && stencil[parameters.stencil_lead + e${k}] != 0u` : ""}) { target_words[${targetWord(k)}] = x${k}; }`,
  )}
}
`;
}

/**
 * Entry points clear_bad and find_bad: the first i whose map[i] is out of range and whose stencil is not 0, 2³² − 1
 * where none is.
 */
export const checkCode = (hasStencil: boolean): string => /* wgsl */ `${head}
@group(0) @binding(3) var<storage, read_write> bad: array<atomic<u32>>;
${hasStencil ? "@group(0) @binding(4) var<storage, read> stencil: array<u32>;" : ""}

@compute @workgroup_size(1)
fn clear_bad() { atomicStore(&bad[parameters.target_lead], 0xffffffffu); }

var<workgroup> least: atomic<u32>;
${entry("find_bad")} {
  if (thread == 0u) { atomicStore(&least, 0xffffffffu); }
  workgroupBarrier();
  let n = read_count();
  let first = linear_group(group, groups) * ${threads * checkedPerThread}u + thread;
  for (var k = 0u; k < ${checkedPerThread}u; k++) {
    let i = first + k * ${threads}u;
    if (i < n && map[parameters.map_lead + i] >= parameters.source_length${hasStencil ? " && stencil[parameters.stencil_lead + i] != 0u" : ""}) { atomicMin(&least, i); }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let found = atomicLoad(&least);
    if (found != 0xffffffffu) { atomicMin(&bad[parameters.target_lead], found); }
  }
}
`;
