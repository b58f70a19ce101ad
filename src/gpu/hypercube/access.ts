/**
 * How kernels reach the arrays of a rearrangement: `load_source(at)` and `store_result(at, value)` are the same whether an array is
 * one binding, several where it is larger than a binding, or a texture (seed 002, §7.1).
 */

import { CrinkleError } from "../../core/errors.ts";
import { formatBytes } from "../../core/format.ts";
import type { GpuContext } from "../device/context.ts";

/** The types of what moves, by its bytes. */
export const types = { 4: "u32", 8: "vec2u", 16: "vec4u" } as const;

/** A buffer in parts, each a binding of `partBytes` but for the last: a power of two where there are several. */
export interface BufferAccess {
  readonly kind: "buffer";
  readonly parts: number;
  readonly partBytes: number;
}

/** A texture of words, whose texels go on from row to row and from layer to layer. */
export interface TextureAccess {
  readonly kind: "texture";
  readonly format: "r32uint" | "r32float";
  readonly size: readonly [width: number, height: number, depth?: number];
}

export type SourceAccess = BufferAccess | TextureAccess;

/** Code that stands for an array, and the bindings that it takes from the first on. */
export interface AccessCode {
  readonly code: string;
  readonly bindings: number;
}

/**
 * An array of so many bytes as bindings of a device, of `most` bytes each. Throws TooLarge where it takes more than half of those
 * that a kernel has.
 */
export function bufferAccess(
  gpu: GpuContext,
  what: string,
  bytes: number,
  most = gpu.pool.largestBinding,
): BufferAccess {
  if (bytes <= most) return { kind: "buffer", parts: 1, partBytes: bytes };
  const partBytes = 2 ** Math.floor(Math.log2(most));
  const parts = Math.ceil(bytes / partBytes);
  const fitting = Math.min(Math.floor(gpu.maxStorageBuffers / 2) * partBytes, gpu.pool.largestBuffer);
  if (bytes <= fitting) return { kind: "buffer", parts, partBytes };
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `${what} takes ${formatBytes(bytes)}; this device rearranges at most ${formatBytes(fitting)}.`,
    remedy: "Work on parts of it.",
  });
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** A switch over the parts, whose last is also what is beyond them. */
function ofPart(
  { parts, partBytes }: BufferAccess,
  bytes: number,
  text: (part: number, at: string) => string,
): string {
  if (parts === 1) return text(0, "at");
  const shift = Math.log2(partBytes / bytes);
  const cases = range(parts - 1).map((part) => `case ${part}u: { ${text(part, "inside")} }`);
  return /* wgsl */ `let inside = at & ${2 ** shift - 1}u;
  switch (at >> ${shift}u) {
    ${cases.join("\n    ")}
    default: { ${text(parts - 1, "inside")} }
  }`;
}

/** The code of a source, `load_source(at)`. */
export const sourceCode = (access: SourceAccess, bytes: 4 | 8 | 16): AccessCode =>
  access.kind === "texture" ? textureCode(access) : bufferCode("source", "read", access, bytes);

/** The code of a buffer by its name: `load_NAME(at)` and, where it is written, `store_NAME(at, value)`. */
export function bufferCode(
  name: string,
  mode: "read" | "read_write",
  access: BufferAccess,
  bytes: 4 | 8 | 16,
  first = 0,
): AccessCode {
  const type = types[bytes];
  const declared = range(access.parts).map(
    (part) => `@group(0) @binding(${first + part}) var<storage, ${mode}> ${name}_${part}: array<${type}>;`,
  );
  const load = /* wgsl */ `
fn load_${name}(at: u32) -> ${type} {
  ${ofPart(access, bytes, (part, at) => `return ${name}_${part}[${at}];`)}
}`;
  const store = /* wgsl */ `
fn store_${name}(at: u32, value: ${type}) {
  ${ofPart(access, bytes, (part, at) => `${name}_${part}[${at}] = value;`)}
}`;
  return {
    bindings: access.parts,
    code: `${declared.join("\n")}${load}${mode === "read" ? "" : store}`,
  };
}

function textureCode({ format, size: [width, height, depth] }: TextureAccess): AccessCode {
  const place =
    depth === undefined
      ? `vec2u(at % ${width}u, at / ${width}u)`
      : `vec3u(at % ${width}u, at / ${width}u % ${height}u, at / ${width * height}u)`;
  const texel = `textureLoad(source, ${place}, 0).x`;
  const [scalar, value] = format === "r32float" ? ["f32", `bitcast<u32>(${texel})`] : ["u32", texel];
  return {
    bindings: 1,
    code: /* wgsl */ `@group(0) @binding(0) var source: texture_${depth === undefined ? "2d" : "3d"}<${scalar}>;
fn load_source(at: u32) -> u32 {
  return ${value};
}`,
  };
}
