import { isLocating, maxKey } from "../../../core/primitives/operators.ts";
import { operatorFunction } from "../base/operator-wgsl.ts";
import { isSegmented, type TileKernel } from "./options.ts";

/**
 * Values are what a kernel combines: elements or, where its operator locates, vec2u of an element's key and its position.
 * Keys of f32 that are passed over exceed maxKey.
 */

/** WGSL type of a value. */
export const valueType = ({ operator, type }: TileKernel): string => (isLocating(operator) ? "vec2u" : type);

/** WGSL type of what goes out for a value. */
export const resultType = ({ operator, type }: TileKernel): string => (isLocating(operator) ? "u32" : type);

/** Words of a value, as WGSL. */
export const wordsOf = ({ operator }: TileKernel, value: string): readonly string[] =>
  isLocating(operator) ? [`${value}.x`, `${value}.y`] : [`bitcast<u32>(${value})`];

/** The value of such words. */
export const valueFrom = ({ operator, type }: TileKernel, words: readonly string[]): string =>
  isLocating(operator) ? `vec2u(${words.join(", ")})` : `bitcast<${type}>(${words[0]})`;

/** What goes out for a value. */
export const resultOf = ({ operator, type }: TileKernel, value: string): string => {
  if (!isLocating(operator)) return value;
  return type === "f32" ? `select(${value}.y, ${operator.identity}u, ${value}.x > ${maxKey}u)` : `${value}.y`;
};

/** The value of the kth element of Quad `q`. */
export function valueIn({ operator, reverse }: TileKernel, k: number): string {
  const key = `q.x.${"xyzw"[k]}`;
  return isLocating(operator) ? `vec2u(${key}, q.position ${reverse ? "-" : "+"} ${k}u)` : key;
}

/** Whether the kth element of Quad `q` begins a segment, where there are any. */
export const segmentBegins = (kernel: TileKernel, k: number): string | undefined =>
  isSegmented(kernel) ? `(q.heads & ${1 << k}u) != 0u` : undefined;

const wins = ({ reverse }: TileKernel, a: string, b: string) => `${b}.x ${reverse ? "<=" : "<"} ${a}.x`;

/** Value b after a, or alone where segments tell that it begins one. */
export function joined(kernel: TileKernel, a: string, b: string, isHead?: string): string {
  if (isHead === undefined) return `combine(${a}, ${b})`;
  return isLocating(kernel.operator)
    ? `select(${a}, ${b}, (${isHead}) | (${wins(kernel, a, b)}))`
    : `select(combine(${a}, ${b}), ${b}, ${isHead})`;
}

/** `combine(a, b)` of values, of which a's elements come before b's in the order of the scan. */
export function combineCode(kernel: TileKernel): string {
  const { operator, type } = kernel;
  if (!isLocating(operator)) return operatorFunction(operator, type).code;
  return /* wgsl */ `fn key_of(x: ${type}) -> u32 { return ${operator.text(type)}; }
fn combine(a: vec2u, b: vec2u) -> vec2u { return select(a, b, ${wins(kernel, "a", "b")}); }`;
}

/** `begun(x, is_head)`: what comes before an element, of which x does but for init. */
export function beginCode({ operator, type }: TileKernel): string {
  if (isLocating(operator)) {
    return /* wgsl */ `
fn begun(x: vec2u, is_head: bool) -> vec2u {
  let init = vec2u(key_of(bitcast<${type}>(parameters.init)), ${operator.identity}u);
  return select(x, init, is_head | ((parameters.has_init != 0u) & (init.x < x.x)));
}`;
  }
  return /* wgsl */ `
fn begun(x: ${type}, is_head: bool) -> ${type} {
  let init = bitcast<${type}>(parameters.init);
  if (is_head) { return init; }
  if (parameters.has_init != 0u) { return combine(init, x); }
  return x;
}`;
}
