/**
 * Where the members of a uniform's struct lie, as webgpu-utils describes structs. Its own reflection of whole shaders weighs
 * a fifth of what the engine loads first; uniforms are structs of numbers, vectors and arrays of vec4 alone.
 */
import type { makeStructuredView } from "./layout.ts";

type StructDefinition = Extract<Parameters<typeof makeStructuredView>[0], { fields: unknown }>;
type TypeDefinition = StructDefinition["fields"][string]["type"];

/** WGSL, § 14.4.1: vec3 is aligned as vec4. */
function intrinsic(name: string): { readonly definition: TypeDefinition; readonly align: number } {
  const [, extent, scalar] = /^(?:vec([234]))?<?([fiu])(?:32)?>?$/.exec(name) ?? [];
  if (scalar === undefined) throw new TypeError(`A uniform has a member of the type ${name}.`);
  const count = Number(extent ?? 1);
  const type = extent === undefined ? `${scalar}32` : `vec${extent}${scalar}`;
  const definition = { size: 4 * count, type };
  return { definition, align: count === 1 ? 4 : count === 2 ? 8 : 16 };
}

function member(name: string): { readonly definition: TypeDefinition; readonly align: number } {
  const [, element, count] = /^array<([^,]+),(\d+)u?>$/.exec(name) ?? [];
  if (element === undefined) return intrinsic(name);
  const { definition: elementType } = intrinsic(element);
  if (elementType.size !== 16)
    throw new TypeError(`A uniform has an array of ${element}, which is not 16 bytes.`);
  const definition = { size: 16 * Number(count), elementType, numElements: Number(count) };
  return { definition, align: 16 };
}

/** The one struct that a declaration of a uniform has. */
export function structDefinition(code: string): StructDefinition {
  const plain = code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  const body = /struct\s+\w+\s*\{([^}]*)\}/.exec(plain)?.[1] ?? "";
  const fields: StructDefinition["fields"] = {};
  let offset = 0;
  let align = 4;
  for (const [, name, type] of body.matchAll(/(\w+)\s*:\s*((?:array<[^>]*>?[^>]*>|[\w<>]+))\s*(?:,|$)/g)) {
    const found = member(type.replace(/\s+/g, ""));
    offset = Math.ceil(offset / found.align) * found.align;
    fields[name] = { offset, type: found.definition };
    offset += found.definition.size;
    align = Math.max(align, found.align);
  }
  return { fields, size: Math.ceil(offset / align) * align };
}
