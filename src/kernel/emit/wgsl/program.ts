/** Whole compute shaders of kernels, which read parts of rows and grids as generated JavaScript does. */
import { scalarsOf } from "../../constants.ts";
import type { Expression, KernelInput, KernelProgram, Load } from "../../ir.ts";
import { elementCount, type KernelCall } from "../../layout.ts";
import { scalarCount, scalarOf, type Type } from "../../types.ts";
import type { BlockNumbers, ShapedCall } from "../blocks.ts";
import { WgslModule } from "./module.ts";
import { kernelWgsl, typeWgsl } from "./wgsl.ts";

/** Threads of a workgroup; each computes one result. */
export const programThreads = 64;

/** A shader and what it binds in group 0: words of parameters at 0, then storage buffers in their order. */
export interface WgslProgram {
  readonly code: string;
  /** Inputs that the kernel reads, from binding 1 on; then the list of elements, where there is one; then outputs. */
  readonly inputs: readonly string[];
  readonly hasList: boolean;
  readonly outputs: readonly string[];
  /** Words of the uniform, 16 bytes each four. */
  readonly parameterWords: number;
}

/** Words of a block or space: lead and strides, then origin, extents and whole, as vectors of four. */
const blockWords = 16;

/** The compute shader, entry point `main`, of a kernel for calls of a shape. */
export function wgslProgram(program: KernelProgram, { shape }: Pick<ShapedCall, "shape">): WgslProgram {
  const module = new WgslModule();
  const inputs = Object.keys(shape.blocks);
  const outputs = Object.keys(program.outputs);
  const isGrid = shape.space === "grid" || shape.space === "list in a grid";
  const hasList = shape.space === "list" || shape.space === "list in a grid";
  const constants = constantWords(program, (2 + inputs.length) * blockWords);
  const loads = new Map<string, string>();
  const functionOf = (load: Load): string => {
    const { access } = program.inputs[load.input];
    const key = access.kind === "offsets" || access.kind === "footprint" ? load.indices.length : access.kind;
    const known = loads.get(`${load.input} ${key}`);
    if (known) return known;
    const name = module.fresh(`load_${load.input}`);
    loads.set(`${load.input} ${key}`, name);
    functions.push(loadFunction(name, load, program.inputs[load.input], isGrid, shape.blocks));
    return name;
  };
  const functions: string[] = [];
  const kernel = kernelWgsl(
    program,
    {
      load: (load, indices) => {
        const isOffset = program.inputs[load.input].access.kind === "offsets";
        const given = indices.map((index, k) => (isOffset ? index : position(index, load.indices[k])));
        return `${functionOf(load)}(${given.join(", ")})`;
      },
      constant: (name, typeText) => constants.expression(name, typeText),
      position: (which) => `kernel_${which}`,
    },
    module,
  );
  let binding = 1;
  const bind = (access: string, name: string, scalar: string) =>
    `@group(0) @binding(${binding++}) var<storage, ${access}> ${name}: array<${scalar}>;`;
  const scalarName = (scalar: string) => (scalar === "f64" ? "f32" : scalar);
  const words = blockWords * (2 + inputs.length) + constants.words;
  const structs = outputs.map((name) => {
    const { scalar, components = 1 } = program.outputs[name];
    const type = components === 1 ? scalarName(scalar) : `vec${components}<${scalarName(scalar)}>`;
    return `${kernel.outputs[name]}: ${type}`;
  });
  const stores = outputs.flatMap((name) => {
    const { components = 1 } = program.outputs[name];
    return Array.from(
      { length: components },
      (_, c) =>
        `  out_${kernel.outputs[name]}[result * ${components}u + ${c}u] = out.${kernel.outputs[name]}${components === 1 ? "" : `[${c}]`};`,
    );
  });
  const code = `struct Part { strides: vec4u, origin: vec4u, extents: vec4u, whole: vec4u }
struct Parameters { words: array<vec4u, ${Math.ceil(words / 4)}> }
@group(0) @binding(0) var<uniform> parameters: Parameters;
${inputs.map((name, k) => bind("read", `words_${k}`, scalarName(program.inputs[name].scalar))).join("\n")}
${hasList ? bind("read", "listed_elements", "u32") : ""}
${outputs.map((name) => bind("read_write", `out_${kernel.outputs[name]}`, scalarName(program.outputs[name].scalar))).join("\n")}
var<private> kernel_element: u32;
var<private> kernel_place: u32;
var<private> kernel_at: vec3u;
${partFunctions}
${inputs.map((name, k) => readFunction(k, program.inputs[name])).join("\n")}
${functions.join("\n")}
struct KernelOut { ${structs.join(", ")} }
${kernel.declarations}
fn kernel_body() -> KernelOut {
var out: KernelOut;
${kernel.body}
return out;
}
@compute @workgroup_size(${programThreads})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let result = id.x + id.y * groups.x * ${programThreads}u;
  let space = part(0u);
  if (result >= space.strides.w) { return; }
${placement(shape.space)}
  let out = kernel_body();
${stores.join("\n")}
}
`;
  return { code, inputs, hasList, outputs, parameterWords: Math.ceil(words / 4) * 4 };
}

/** Positions of i32 as u32: negative ones become 0. */
const position = (index: string, { type }: Expression): string =>
  scalarOf(type) === "i32" ? `u32(max(${index}, 0i))` : index;

const partFunctions = `fn part(k: u32) -> Part {
  return Part(parameters.words[4u * k], parameters.words[4u * k + 1u], parameters.words[4u * k + 2u], parameters.words[4u * k + 3u]);
}
// The number among a part's elements of a position in the whole, moved to the part's border where it is beyond.
fn local_index(p: Part, at: vec3u) -> u32 {
  let inside = select(min(at - p.origin.xyz, p.extents.xyz - 1u), vec3u(), at < p.origin.xyz);
  return inside.x + p.extents.x * (inside.y + p.extents.y * inside.z);
}
fn place_in(whole: vec4u, flat: u32) -> vec3u {
  let row = flat / whole.x;
  return vec3u(flat % whole.x, row % whole.y, row / whole.y);
}
fn moved(position: u32, by: i32, whole: u32) -> u32 {
  if (by < 0) { return position - min(position, u32(-by)); }
  return min(position + u32(by), whole - 1u);
}`;

/** Reads the element that is at a number of a block. */
function readFunction(k: number, { scalar, components = 1 }: KernelInput): string {
  const name = scalar === "f64" ? "f32" : scalar;
  const type = components === 1 ? name : `vec${components}<${name}>`;
  const words = Array.from(
    { length: components },
    (_, c) => `words_${k}[first${c === 0 ? "" : ` + ${c}u * p.strides.z`}]`,
  );
  return `fn read_${k}(p: Part, index: u32) -> ${type} {
  let first = p.strides.x + index * p.strides.y;
  return ${type}(${words.join(", ")});
}`;
}

function loadFunction(
  name: string,
  { input, type, indices }: Load,
  { access }: KernelInput,
  isGrid: boolean,
  blocks: ShapedCall["shape"]["blocks"],
): string {
  const numberOf = (block: string) => Object.keys(blocks).indexOf(block);
  const k = numberOf(input);
  const at = (position: string) => `return read_${k}(p, local_index(p, ${position}));`;
  const flatPlace = (block: string, position: string) =>
    blocks[block].kind === "grid"
      ? `place_in(p.whole, min(${position}, p.whole.x * p.whole.y * p.whole.z - 1u))`
      : `vec3u(${position}, 0u, 0u)`;
  const flat = (position: string) => at(flatPlace(input, position));
  const head = (parameters: string, body: string) =>
    `fn ${name}(${parameters}) -> ${typeWgsl(type)} {\n  let p = part(${2 + k}u);\n  ${body}\n}`;
  switch (access.kind) {
    case "own":
      return head("", isGrid && blocks[input].kind === "grid" ? at("kernel_at") : flat("kernel_place"));
    case "offsets":
      if (indices.length === 1) {
        return head("dx: i32", at("vec3u(moved(kernel_element, dx, p.whole.x), 0u, 0u)"));
      }
      return head(
        "dx: i32, dy: i32, dz: i32",
        at(
          "vec3u(moved(kernel_at.x, dx, p.whole.x), moved(kernel_at.y, dy, p.whole.y), moved(kernel_at.z, dz, p.whole.z))",
        ),
      );
    case "map": {
      const m = numberOf(access.map);
      const entry = `kernel_element * ${access.arity}u + min(k, ${access.arity - 1}u)`;
      const place = flatPlace(access.map, entry).replaceAll("p.whole", "m.whole");
      return head(
        "k: u32",
        `let m = part(${2 + m}u);\n  let named = read_${m}(m, local_index(m, ${place}));\n  ${flat("named")}`,
      );
    }
    case "footprint":
    case "all":
      return indices.length === 3
        ? head("x: u32, y: u32, z: u32", at("vec3u(x, y, z)"))
        : head("i: u32", flat("i"));
  }
}

function placement(space: ShapedCall["shape"]["space"]): string {
  switch (space) {
    case "row":
      return `  kernel_place = space.origin.x + result;
  kernel_element = kernel_place;
  kernel_at = vec3u(kernel_element, 0u, 0u);`;
    case "grid":
      return `  kernel_at = space.origin.xyz + place_in(space.extents, result);
  kernel_element = kernel_at.x + space.whole.x * (kernel_at.y + space.whole.y * kernel_at.z);
  kernel_place = kernel_element;`;
    default:
      return `  kernel_place = space.origin.x + result;
  kernel_element = listed_elements[result];
  kernel_at = ${space === "list" ? "vec3u(kernel_element, 0u, 0u)" : "place_in(part(1u).whole, kernel_element)"};`;
  }
}

/** Constants as words of the uniform, from `first` on. */
function constantWords(program: KernelProgram, first: number) {
  const firsts = new Map<string, number>();
  let next = first;
  for (const [name, type] of Object.entries(program.constants)) {
    firsts.set(name, next);
    next += scalarCount(type);
  }
  const expression = (name: string, typeText: (type: Type) => string): string => {
    let at = firsts.get(name)!;
    const word = (scalar: string): string => {
      const value = `parameters.words[${at >> 2}u][${at & 3}u]`;
      at++;
      if (scalar === "bool") return `(${value} != 0u)`;
      return scalar === "u32" ? value : `bitcast<${scalar === "f64" ? "f32" : scalar}>(${value})`;
    };
    const made = (type: Type): string => {
      if (type.kind === "scalar") return word(type.scalar);
      const parts =
        type.kind === "array"
          ? Array.from({ length: type.length }, () => made(type.element))
          : type.kind === "struct"
            ? type.members.map((member) => made(member.type))
            : scalarsOf(type).map(word);
      return `${typeText(type)}(${parts.join(", ")})`;
    };
    return made(program.constants[name]);
  };
  return { expression, words: next - first };
}

/** The words of the uniform for a call. */
export function parameterWords(
  program: KernelProgram,
  { blocks }: ShapedCall,
  call: KernelCall,
  { inputs, parameterWords: length }: WgslProgram,
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(length);
  const set = (
    k: number,
    strides: readonly number[],
    { origin, extents, whole }: Pick<BlockNumbers, "origin" | "extents" | "whole">,
  ) => {
    [strides, origin, extents, whole].forEach((part, row) => {
      words.set(part, k * blockWords + 4 * row);
    });
  };
  const { space } = call;
  const count = elementCount(space);
  set(
    0,
    [0, 1, 1, count],
    space.kind === "grid"
      ? space
      : { origin: [space.first, 0, 0], extents: [space.length, 1, 1], whole: [space.whole, 1, 1] },
  );
  const grid = call.at?.grid ?? [1, 1, 1];
  set(1, [0, 1, 1, 0], { origin: [0, 0, 0], extents: grid, whole: grid });
  inputs.forEach((name, k) => {
    const { lead, elementStride, componentStride } = blocks[name];
    set(2 + k, [lead, elementStride, componentStride], blocks[name]);
  });
  const floats = new Float32Array(words.buffer);
  let next = (2 + inputs.length) * blockWords;
  for (const [name, type] of Object.entries(program.constants)) {
    const given = call.constants[name] ?? Number.NaN;
    const numbers = typeof given === "number" ? [given] : given;
    scalarsOf(type).forEach((scalar, k) => {
      const number = numbers[k] ?? Number.NaN;
      if (scalar === "f32" || scalar === "f64") floats[next++] = number;
      else words[next++] = scalar === "bool" ? Number(number !== 0) : number;
    });
  }
  return words;
}
