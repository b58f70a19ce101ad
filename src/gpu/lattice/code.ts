/** The shaders of lattice models' passes. */

import type { ElementRange } from "../../core/lattice/layers.ts";
import { scalarsOf } from "../../kernel/constants.ts";
import { WgslModule } from "../../kernel/emit/wgsl/module.ts";
import { kernelWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { type Scalar, scalarCount, type Type } from "../../kernel/types.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { linkFragments } from "../shader/fragment.ts";

/** Threads of a workgroup. */
export const threads = 256;

/** The elements that a pass is computed on. */
export interface PassSpace {
  /** Elements of the whole lattice, or its sites. */
  readonly length: number;
  /** Whether arrays hold some elements only, and the pass is computed on a range of them: both are told by its constants (`PassRange`). */
  readonly isPart: boolean;
}

/** A range of elements that a pass is computed on, and which elements of a ring of `length` arrays hold. */
export interface PassRange {
  readonly elements: ElementRange;
  readonly held: ElementRange;
  readonly length: number;
}

/** The words of a range, in front of the constants. */
export const rangeWords = ({ elements, held, length }: PassRange): number[] => [
  elements.first,
  elements.count,
  held.first,
  length - held.first,
];

export interface PassCode {
  readonly code: string;
  /** Whether it has constants, at binding 0. */
  readonly hasConstants: boolean;
  /** Arrays from binding 1 on, by the names that the program has for them. */
  readonly arrays: readonly string[];
}

/** The words of the uniform: constants one after the other. */
export const constantWords = (
  { constants }: KernelProgram,
  values: Readonly<Record<string, number | readonly number[]>>,
): number[] =>
  Object.entries(constants).flatMap(([name, type]) => {
    const given = [values[name]].flat();
    return isFloat(type)
      ? [...new Uint32Array(Float32Array.from(given).buffer)]
      : given.map((value) => value >>> 0);
  });

const isFloat = (type: Type): boolean => scalarsOf(type)[0] === "f32";
const isSigned = (type: Type): boolean => scalarsOf(type)[0] === "i32";

/** Collects what a shader declares: arrays, constants, and kernels as functions that return their outputs. */
class PassWriter {
  readonly arrays: readonly string[];
  readonly #space: PassSpace;
  readonly #scalars: Readonly<Record<string, Scalar>>;
  readonly #written: ReadonlySet<string>;
  readonly #module = new WgslModule();
  readonly #declarations: string[] = [];
  #vectors: number;

  /** `written` are those of the arrays that the shader changes. */
  constructor(
    program: KernelProgram,
    space: PassSpace,
    arrays: readonly string[],
    written: readonly string[],
  ) {
    this.#space = space;
    this.#vectors = space.isPart ? 1 : 0;
    this.#scalars = scalarsOfArrays(program);
    this.arrays = arrays;
    this.#written = new Set(written);
  }

  /** An element of an array. */
  element(array: string, index: string): string {
    return this.word(array, this.#space.isPart ? `held_place(${index})` : index);
  }

  /** A word of an array. */
  word(array: string, place: string): string {
    return `array_${this.arrays.indexOf(array)}[${place}]`;
  }

  /** Declares a function without parameters of the kernel at `kernel_element`; `load` is an expression of an input's element. */
  kernel(program: KernelProgram, load = (input: string, index: string) => this.element(input, index)) {
    const [name, struct] = [this.#module.fresh("kernel"), this.#module.fresh("outputs")];
    const kernel = kernelWgsl(
      program,
      {
        load: ({ input }, indices) => load(input, indices[0] ?? "kernel_element"),
        constant: (constant, typeText) => this.#constant(program, constant, typeText),
        position: () => "kernel_element",
      },
      this.#module,
    );
    const members = Object.entries(kernel.outputs).map(
      ([output, member]) => `${member}: ${program.outputs[output].scalar}`,
    );
    this.#declarations.push(`struct ${struct} { ${members.join(", ")} }
${kernel.declarations}
fn ${name}() -> ${struct} {
var out: ${struct};
${kernel.body}
return out;
}`);
    return { call: `${name}()`, outputs: kernel.outputs };
  }

  #constant({ constants }: KernelProgram, name: string, typeText: (type: Type) => string): string {
    let [words, first] = this.#space.isPart ? [4, 0] : [0, 0];
    for (const [constant, type] of Object.entries(constants)) {
      if (constant === name) first = words;
      words += scalarCount(type);
    }
    this.#vectors = Math.ceil(words / 4);
    const type = constants[name];
    const each = Array.from({ length: scalarCount(type) }, (_, k) => {
      const at = first + k;
      const word = `constants[${at >> 2}u][${at & 3}u]`;
      return isFloat(type) ? `bitcast<f32>(${word})` : isSigned(type) ? `bitcast<i32>(${word})` : word;
    });
    return type.kind === "scalar" ? each[0] : `${typeText(type)}(${each.join(", ")})`;
  }

  /**
   * How many elements there are, which element is at a place among these, and at which place arrays hold an element. What is behind a ring's end, or
   * before a range's first element, is found by numbers that wrap around: of both the smaller one is meant.
   */
  get #places(): string {
    const { length, isPart } = this.#space;
    if (!isPart)
      return `fn element_count() -> u32 { return ${length}u; }
fn element_at(place: u32) -> u32 { return place; }`;
    return `fn element_count() -> u32 { return constants[0].y; }
fn element_at(place: u32) -> u32 {
  let element = constants[0].x + place;
  return min(element, element - ${length}u);
}
fn held_place(element: u32) -> u32 {
  return min(element - constants[0].z, element + constants[0].w);
}`;
  }

  /** The shader; `more` declares what else `main` needs. */
  code(main: string, more = ""): PassCode {
    const hasConstants = this.#vectors > 0;
    const bound = this.arrays.map((name, k) => {
      const access = this.#written.has(name) ? "read_write" : "read";
      return `@group(0) @binding(${1 + k}) var<storage, ${access}> array_${k}: array<${this.#scalars[name]}>;`;
    });
    const uniform = `@group(0) @binding(0) var<uniform> constants: array<vec4u, ${this.#vectors}>;`;
    const code = `${linkFragments(linearGroup)}
${hasConstants ? uniform : ""}
${this.#places}
${bound.join("\n")}
${more}
var<private> kernel_element: u32;
${this.#declarations.join("\n")}
@compute @workgroup_size(${threads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
${main}
}
`;
    return { code, hasConstants, arrays: this.arrays };
  }
}

/** The types of what a program reads and writes. */
const scalarsOfArrays = ({ inputs, outputs }: KernelProgram): Record<string, Scalar> =>
  Object.fromEntries(Object.entries({ ...inputs, ...outputs }).map(([name, { scalar }]) => [name, scalar]));

/** Arrays that a program reads or writes. */
const arraysOf = ({ inputs, outputs }: KernelProgram): string[] => [
  ...new Set([...Object.keys(inputs), ...Object.keys(outputs)]),
];

/** A pass that changes arrays: a thread an element. `writesByPlace`: a range's first element is written to the first word. */
export function changingCode(program: KernelProgram, space: PassSpace, writesByPlace = false): PassCode {
  const written = Object.keys(program.outputs);
  const writer = new PassWriter(program, space, arraysOf(program), written);
  const { call, outputs } = writer.kernel(program);
  const target = (name: string) =>
    writesByPlace ? writer.word(name, "place") : writer.element(name, "kernel_element");
  return writer.code(`  let place = linear_group(group, groups) * ${threads}u + thread;
  if (place >= element_count()) { return; }
  kernel_element = element_at(place);
  let out = ${call};
${written.map((name) => `  ${target(name)} = out.${outputs[name]};`).join("\n")}`);
}

/** Whether a queue of what a first part leaves, all of them words, fits in the workgroup memory that every device has. */
export const fitsQueue = ({ outputs }: KernelProgram): boolean =>
  Object.values(outputs).every(({ scalar }) => scalar === "u32") &&
  4 * (threads * (Object.keys(outputs).length + 1) + 1) <= 16384;

/**
 * The same in two parts: a thread does the first part for an element, and leaves what is not done in a queue of its workgroup, from which as few threads
 * as it takes do the rest. `open` is the output of the first part that is 0 where an element is done.
 */
export function deferredCode(
  whole: KernelProgram,
  { first, rest }: { readonly first: KernelProgram; readonly rest: KernelProgram },
  open: string,
  space: PassSpace,
): PassCode {
  const written = Object.keys(whole.outputs);
  const held = Object.keys(first.outputs);
  const writer = new PassWriter(whole, space, arraysOf(whole), written);
  const begun = writer.kernel(first);
  const ended = writer.kernel(rest, (input) => `queue[${held.indexOf(input)}][queue_place]`);
  const stores = (outputs: Readonly<Record<string, string>>) =>
    written.map((name) => `${writer.element(name, "kernel_element")} = out.${outputs[name]};`).join("\n");
  return writer.code(
    `  let element_place = linear_group(group, groups) * ${threads}u + thread;
  if (element_place < element_count()) {
    kernel_element = element_at(element_place);
    let out = ${begun.call};
    if (out.${begun.outputs[open]} == 0u) {
${stores(begun.outputs)}
    } else {
      let place = atomicAdd(&queue_length, 1u);
      queue_elements[place] = kernel_element;
${held.map((name, k) => `      queue[${k}][place] = out.${begun.outputs[name]};`).join("\n")}
    }
  }
  workgroupBarrier();
  queue_place = thread;
  if (queue_place < atomicLoad(&queue_length)) {
    kernel_element = queue_elements[queue_place];
    let out = ${ended.call};
${stores(ended.outputs)}
  }`,
    `var<workgroup> queue_length: atomic<u32>;
var<workgroup> queue_elements: array<u32, ${threads}>;
var<workgroup> queue: array<array<u32, ${threads}>, ${held.length}>;
var<private> queue_place: u32;`,
  );
}

/**
 * A pass whose outputs are summed: each workgroup writes the sums of what its threads computed, output by output, to the binding behind
 * the arrays.
 */
export function summingCode(program: KernelProgram, space: PassSpace, workgroups: number): PassCode {
  const names = Object.keys(program.outputs);
  const { scalar } = program.outputs[names[0]];
  const writer = new PassWriter(program, space, Object.keys(program.inputs), []);
  const { call, outputs } = writer.kernel(program);
  return writer.code(
    `  var sums: array<${scalar}, ${names.length}>;
  for (var place = group.x * ${threads}u + thread; place < element_count(); place += ${threads * workgroups}u) {
    kernel_element = element_at(place);
    let out = ${call};
${names.map((name, k) => `    sums[${k}] += out.${outputs[name]};`).join("\n")}
  }
  shared_sums[thread] = sums;
  for (var reach = ${threads / 2}u; reach > 0u; reach >>= 1u) {
    workgroupBarrier();
    if (thread < reach) {
${names.map((_, k) => `      shared_sums[thread][${k}] += shared_sums[thread + reach][${k}];`).join("\n")}
    }
  }
  if (thread == 0u) {
${names.map((_, k) => `    partial_sums[group.x * ${names.length}u + ${k}u] = shared_sums[0][${k}];`).join("\n")}
  }`,
    `@group(0) @binding(${1 + writer.arrays.length}) var<storage, read_write> partial_sums: array<${scalar}>;
var<workgroup> shared_sums: array<array<${scalar}, ${names.length}>, ${threads}>;`,
  );
}
