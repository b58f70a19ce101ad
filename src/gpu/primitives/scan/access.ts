import type { ScalarType } from "../../../core/primitives/vector.ts";
import { keysDiffer } from "../base/keys-differ.ts";
import { carriedQuad, carryCode } from "./carry.ts";
import { isSegmented, locates, readsValues, scansHeads, type TileKernel } from "./options.ts";
import { beginCode, joined, resultOf, resultType, segmentBegins, valueIn } from "./values.ts";

/**
 * Reads four words in the scan's order from logical element e on. Beyond element n (which is not 0) they are whatever:
 * there are no branches, after which a subgroup might be incomplete.
 */
function quadReader(
  kernel: TileKernel,
  isVector: boolean,
  name: string,
  array: string,
  lead: string,
): string {
  const { reverse } = kernel;
  const clamped = (e: string) => `${reverse ? "n - 1u - " : ""}min(${e}, n - 1u)`;
  const quadAt = `${reverse ? "n / 4u - 1u - " : ""}min(e, n - 1u) / 4u`;
  const read = isVector
    ? `${array}[parameters.${lead} / 4u + ${quadAt}]${reverse ? ".wzyx" : ""}`
    : `vec4u(${[0, 1, 2, 3].map((k) => `${array}[parameters.${lead} + ${clamped(`e + ${k}u`)}]`).join(", ")})`;
  return /* wgsl */ `
fn ${name}(e: u32, n: u32) -> vec4u { return ${read}; }`;
}

/** Reads the word of logical element e, or of the last one. */
function wordReader(
  kernel: TileKernel,
  isVector: boolean,
  name: string,
  array: string,
  lead: string,
): string {
  const at = `parameters.${lead} + ${kernel.reverse ? "n - 1u - min(e, n - 1u)" : "min(e, n - 1u)"}`;
  return /* wgsl */ `
fn ${name}(e: u32, n: u32) -> u32 {
  ${isVector ? `let at = ${at};\n  return ${array}[at / 4u][at % 4u];` : `return ${array}[${at}];`}
}`;
}

/** Where segments begin among four elements, as bits. */
function headBits({ segments = "u32", reverse, runs, continues }: TileKernel): string {
  const differ =
    segments === "heads"
      ? `${reverse ? "previous" : "own"} != vec4u()`
      : keysDiffer(segments, "own", "previous", "vec4u");
  return /* wgsl */ `
fn head_bits(own: vec4u, before: u32, e: u32, n: u32) -> u32 {
  let previous = vec4u(before, own.xyz);
  let parts = select(vec4u(), vec4u(1u, 2u, 4u, 8u), ${differ});
  var bits = parts.x | parts.y | parts.z | parts.w;
  bits = ${continues ? "bits & ~u32(e == 0u)" : "bits | u32(e == 0u)"};
  ${runs ? "bits &= (1u << min(n - min(e, n), 4u)) - 1u;" : ""}
  return bits;
}`;
}

/** WGSL that makes a Quad of four words and bits of heads, from logical element e on. */
export const makeQuad = (kernel: TileKernel, words: string, heads: string, e: string): string =>
  `make_quad(${words}, ${heads}${locates(kernel) ? `, position_of(${e}, n)` : ""})`;

const elementQuad = (
  type: ScalarType,
  taken: string,
) => /* wgsl */ `struct Quad { x: vec4<${type}>, heads: u32 }

fn make_quad(words: vec4u, heads: u32) -> Quad { return Quad(${taken}, heads); }`;

/** Keys of four neighbours, of which the first is at `position`. */
const keyQuad = (
  { type, reverse }: TileKernel,
  elements: string,
) => /* wgsl */ `struct Quad { x: vec4u, heads: u32, position: u32 }

fn position_of(e: u32, n: u32) -> u32 { return parameters.first_position + ${reverse ? "n - 1u - e" : "e"}; }
fn make_quad(words: vec4u, heads: u32, position: u32) -> Quad {
  let x: vec4<${type}> = ${elements};
  return Quad(vec4u(key_of(x.x), key_of(x.y), key_of(x.z), key_of(x.w)), heads, position);
}`;

/**
 * Elements as kernels meet them: four neighbours are a Quad, which `make_quad` makes of what was read. Bindings 2
 * (values) and 4 (keys).
 */
export function readCode(kernel: TileKernel, isVector: boolean): string {
  const { type, segments, transform, inputType = type, runs } = kernel;
  const item = isVector ? "vec4u" : "u32";
  const values = readsValues(kernel);
  const convert = transform
    ? `vec4<${type}>(${["x", "y", "z", "w"].map((k) => `transform(bitcast<${inputType}>(words.${k}))`).join(", ")})`
    : `bitcast<vec4<${type}>>(words)`;
  const taken = scansHeads(kernel)
    ? `vec4<${type}>((vec4u(heads) >> vec4u(0u, 1u, 2u, 3u)) & vec4u(1u))`
    : values
      ? convert
      : `vec4<${type}>(1)`;
  const next = (k: number) => `v = ${joined(kernel, "v", valueIn(kernel, k), segmentBegins(kernel, k))};`;
  return /* wgsl */ `
${transform ? `fn transform(x: ${inputType}) -> ${type} { return ${type}(${transform.text}); }` : ""}
${values || runs === "first" ? `@group(0) @binding(2) var<storage, read> source: array<${item}>;` : ""}
${values ? quadReader(kernel, isVector, "source_quad", "source", "input_lead") : ""}
${runs === "first" ? wordReader(kernel, isVector, "source_word", "source", "input_lead") : ""}
${
  segments === undefined
    ? ""
    : `@group(0) @binding(4) var<storage, read> keys: array<${item}>;
${quadReader(kernel, isVector, "key_quad", "keys", "keys_lead")}
${wordReader(kernel, isVector, "key_word", "keys", "keys_lead")}
${headBits(kernel)}`
}

/** Four neighbours, and bits of where segments begin among them. */
${locates(kernel) ? keyQuad(kernel, convert) : elementQuad(type, taken)}

fn load_quad(e: u32, n: u32) -> Quad {
  let heads = ${
    segments === undefined ? "0u" : "head_bits(key_quad(e, n), key_word(max(e, 1u) - 1u, n), e, n)"
  };
  return ${makeQuad(kernel, values ? "source_quad(e, n)" : "vec4u()", "heads", "e")};
}

fn quad_state(q: Quad) -> State {
  var v = ${valueIn(kernel, 0)};
  ${next(1)}
  ${next(2)}
  ${next(3)}
  return make_state(v, ${runs ? "countOneBits(q.heads)" : "u32(q.heads != 0u)"});
}`;
}

/** Writes the scan of a Quad that follows `prefix`, where `has` says that anything precedes it. Binding 3. */
export function scanWriter(kernel: TileKernel, isVector: boolean): string {
  const { reverse, exclusive, continues } = kernel;
  const isHead = (k: number) => segmentBegins(kernel, k) ?? (k === 0 ? "e == 0u" : "false");
  const through = ["x", "y", "z", "w"].map((k, j) => {
    const own = valueIn(kernel, j);
    const next = joined(kernel, "v", own, segmentBegins(kernel, j));
    const put = exclusive ? `y.${k} = ${resultOf(kernel, `begun(v, ${isHead(j)})`)};` : "";
    const step = j === 0 ? `if (has) { v = ${next}; } else { v = ${own}; }` : `v = ${next};`;
    return `${put}\n  ${exclusive && j === 3 ? "" : step}\n  ${exclusive ? "" : `y.${k} = ${resultOf(kernel, "v")};`}`;
  });
  const write = isVector
    ? /* wgsl */ `
  let v4 = parameters.output_lead / 4u + ${reverse ? "n / 4u - 1u - e / 4u" : "e / 4u"};
  if (e + 4u <= n) {
    result[v4] = bitcast<vec4u>(y)${reverse ? ".wzyx" : ""};
  } else if (e < n) {
    result[v4].x = bitcast<u32>(y.x);
    if (e + 1u < n) { result[v4].y = bitcast<u32>(y.y); }
    if (e + 2u < n) { result[v4].z = bitcast<u32>(y.z); }
  }`
    : /* wgsl */ `
  for (var k = 0u; k < 4u; k++) {
    if (e + k < n) {
      result[parameters.output_lead + ${reverse ? "n - 1u - e - k" : "e + k"}] = bitcast<u32>(y[k]);
    }
  }`;
  return /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> result: array<${isVector ? "vec4u" : "u32"}>;
${exclusive ? beginCode(kernel) : ""}
${continues ? carryCode(kernel) : ""}
fn store_quad(e: u32, n: u32, q: Quad, has: bool, prefix: State) {
  var v = value_of(prefix);
  var y = vec4<${resultType(kernel)}>();
  ${continues ? carriedQuad(kernel) : through.join("\n  ")}
  ${write}
}`;
}

/**
 * Writes what goes out once a run: its key to binding 6, its value to binding 3, and the number of runs to binding 7.
 * A run's values are written where the next run begins.
 */
export function runWriter(kernel: TileKernel): string {
  const { runs } = kernel;
  const combined = isSegmented(kernel);
  const put = (at: string, what: string) => `result[parameters.output_lead + ${at}] = bitcast<u32>(${what});`;
  const through = (k: number) => {
    const before = k === 0 ? "value_of(prefix)" : `v${k - 1}`;
    return `let v${k} = ${joined(kernel, before, valueIn(kernel, k), segmentBegins(kernel, k))};`;
  };
  const results = [0, 1, 2, 3].map((k) => resultOf(kernel, `v${k}`));
  const scanned = /* wgsl */ `${[0, 1, 2, 3].map(through).join("\n  ")}
  let y = vec4<${resultType(kernel)}>(${results.join(", ")});
  let before = vec4<${resultType(kernel)}>(${resultOf(kernel, "value_of(prefix)")}, y.xyz);`;
  return /* wgsl */ `
${runs === "keys" ? "" : "@group(0) @binding(3) var<storage, read_write> result: array<u32>;"}
@group(0) @binding(6) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(7) var<storage, read_write> run_count: array<u32>;
fn store_quad(e: u32, n: u32, q: Quad, has: bool, prefix: State) {
  var count = select(0u, ${combined ? "heads_of(prefix)" : "value_of(prefix)"}, has);
  ${combined ? scanned : ""}
  for (var bits = q.heads; bits != 0u; bits &= bits - 1u) {
    let k = countTrailingZeros(bits);
    keys_out[parameters.keys_out_lead + count] = key_word(e + k, n);
    ${combined ? `if (count > 0u) { ${put("count - 1u", "before[k]")} }` : ""}
    ${runs === "first" ? put("count", "source_word(e + k, n)") : ""}
    count++;
  }
  if (e < n && n - e <= 4u) {
    ${combined ? put("count - 1u", "y[n - e - 1u]") : ""}
    run_count[parameters.runs_lead] = count;
  }
}`;
}
