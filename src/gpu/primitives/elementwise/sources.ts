import type { ScalarType } from "../../../core/primitives/vector.ts";
import { bindView, type View } from "../../compute/view.ts";
import { toWord } from "../base/operator-wgsl.ts";

/**
 * What a kernel reads an element at a time (Thrust's fancy iterators): words in memory, start + step · i in the type's
 * own arithmetic, one value, a view from its end, or a view through a map, where indices out of range give 0.
 */
export type Source =
  | { readonly kind: "view"; readonly view: View }
  | { readonly kind: "counting"; readonly start: number; readonly step: number }
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "reversed"; readonly view: View }
  | { readonly kind: "permuted"; readonly view: View; readonly map: View }
  /** What the output holds: a transform in place. */
  | { readonly kind: "output" };

export interface SourceType {
  readonly kind: Source["kind"];
  readonly type: ScalarType;
}

/** Views that a source reads. */
export function viewsOf(source: Source): readonly View[] {
  switch (source.kind) {
    case "view":
    case "reversed":
      return [source.view];
    case "permuted":
      return [source.view, source.map];
    default:
      return [];
  }
}

/** Elements that a source has; any number where it makes them up. */
export function lengthOf(source: Source): number {
  if (source.kind === "permuted") return source.map.length;
  return source.kind === "view" || source.kind === "reversed" ? source.view.length : Number.POSITIVE_INFINITY;
}

/** Words of the parameters for each source. */
export const sourceWords = 3;

/** Those words. */
export function parametersOf(source: Source, type: ScalarType): readonly [number, number, number] {
  switch (source.kind) {
    case "view":
      return [bindView(source.view).lead, 0, 0];
    case "reversed":
      return [bindView(source.view).lead, source.view.length, 0];
    case "permuted":
      return [bindView(source.view).lead, source.view.length, bindView(source.map).lead];
    case "counting":
      return [toWord(type, source.start), toWord(type, source.step), 0];
    case "constant":
      return [toWord(type, source.value), 0, 0];
    case "output":
      return [0, 0, 0];
  }
}

/**
 * WGSL of source k: its bindings from `binding` on, and with vector access `quad_k(e) -> vec4u`, the words of elements e
 * to e + 3 (e is a multiple of 4, and a view's quads are read whole), else `one_k(e) -> u32`. `parameters.words` holds
 * the parameters.
 */
export function sourceCode(
  { kind, type }: SourceType,
  k: number,
  binding: number,
  isVector: boolean,
): string {
  const word = (w: number) =>
    `parameters.words[${(k * sourceWords + w) >> 2}u][${(k * sourceWords + w) & 3}u]`;
  const declare = (at: number, name: string, item: string) =>
    `@group(0) @binding(${at}) var<storage, read> ${name}: array<${item}>;\n`;
  const quad = (body: string) => `fn quad_${k}(e: u32) -> vec4u {\n  ${body}\n}\n`;
  const one = (body: string) => `fn one_${k}(e: u32) -> u32 {\n  ${body}\n}\n`;
  const four = quad(`return vec4u(one_${k}(e), one_${k}(e + 1u), one_${k}(e + 2u), one_${k}(e + 3u));`);
  switch (kind) {
    case "view":
      return isVector
        ? declare(binding, `in_${k}`, "vec4u") + quad(`return in_${k}[(${word(0)} + e) / 4u];`)
        : declare(binding, `in_${k}`, "u32") + one(`return in_${k}[${word(0)} + e];`);
    case "output":
      return isVector
        ? quad("return result[(parameters.output_lead + e) / 4u];")
        : one("return result[parameters.output_lead + e];");
    case "reversed":
      return (
        declare(binding, `in_${k}`, "u32") +
        one(
          `let place = ${word(1)} - 1u - e;\n  return in_${k}[${word(0)} + select(0u, place, e < ${word(1)})];`,
        ) +
        (isVector ? four : "")
      );
    case "permuted":
      return (
        declare(binding, `in_${k}`, "u32") +
        declare(binding + 1, `map_${k}`, "u32") +
        one(/* wgsl */ `let place = map_${k}[${word(2)} + e];
  if (place >= ${word(1)}) { return 0u; }
  return in_${k}[${word(0)} + place];`) +
        (isVector ? four : "")
      );
    case "counting": {
      const value = `bitcast<${type}>(${word(0)}) + bitcast<${type}>(${word(1)}) * ${type}(e)`;
      return one(`return bitcast<u32>(${value});`) + (isVector ? four : "");
    }
    case "constant":
      return isVector ? quad(`return vec4u(${word(0)});`) : one(`return ${word(0)};`);
  }
}
