/** Writes the shaders of lattice models' passes. */
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

export interface PassCode {
  readonly code: string;
  /** Whether it has constants, at binding 0. */
  readonly hasConstants: boolean;
  /** Arrays from binding 1 on, by the names that the program has for them. */
  readonly arrays: readonly string[];
}

export const isFloat = (type: Type): boolean => scalarsOf(type)[0] === "f32";
const isSigned = (type: Type): boolean => scalarsOf(type)[0] === "i32";

/** Collects what a shader declares: arrays, constants, and kernels as functions that return their outputs. */
export class PassWriter {
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
