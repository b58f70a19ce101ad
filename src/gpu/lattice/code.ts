/** The shaders of lattice models' passes. */
import { kernelWgsl } from "../../kernel/emit/wgsl/wgsl.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { scalarCount, type Type } from "../../kernel/types.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { linkFragments } from "../shader/fragment.ts";

/** Threads of a workgroup. */
export const threads = 256;

export interface PassCode {
  readonly code: string;
  /** Whether it has constants, at binding 0. */
  readonly hasConstants: boolean;
  /** Names of the arrays from binding 1 on. */
  readonly arrays: readonly string[];
}

/** The program's constants as words of a uniform, one after the other: what `constantWords` makes. */
function constantExpressions(program: KernelProgram) {
  const firsts = new Map<string, number>();
  let words = 0;
  for (const [name, type] of Object.entries(program.constants)) {
    firsts.set(name, words);
    words += scalarCount(type);
  }
  let isUsed = false;
  const expression = (name: string, typeText: (type: Type) => string): string => {
    isUsed = true;
    const type = program.constants[name];
    const first = firsts.get(name)!;
    const each = Array.from({ length: scalarCount(type) }, (_, k) => {
      const at = first + k;
      return `constants[${at >> 2}u][${at & 3}u]`;
    });
    return type.kind === "scalar" ? each[0] : `${typeText(type)}(${each.join(", ")})`;
  };
  return { expression, vectors: Math.ceil(words / 4), isUsed: () => isUsed };
}

/** The words of the uniform. */
export const constantWords = (
  { constants }: KernelProgram,
  values: Readonly<Record<string, number | readonly number[]>>,
): number[] => Object.keys(constants).flatMap((name) => values[name]);

function shader(
  program: KernelProgram,
  count: number,
  bound: (binding: number) => string,
  entry: (out: (name: string) => string) => string,
) {
  const { expression, vectors, isUsed } = constantExpressions(program);
  const inputs = Object.keys(program.inputs);
  const kernel = kernelWgsl(program, {
    load: ({ input }, indices) => `array_${inputs.indexOf(input)}[${indices[0] ?? "kernel_element"}]`,
    constant: expression,
    position: () => "kernel_element",
  });
  const access = (name: string) => (name in program.outputs ? "read_write" : "read");
  const members = Object.keys(program.outputs).map((name) => `${kernel.outputs[name]}: u32`);
  const code = `${linkFragments(linearGroup)}
const element_count = ${count}u;
${isUsed() ? `@group(0) @binding(0) var<uniform> constants: array<vec4u, ${vectors}>;` : ""}
${inputs
  .map((name, k) => `@group(0) @binding(${1 + k}) var<storage, ${access(name)}> array_${k}: array<u32>;`)
  .join("\n")}
${bound(1 + inputs.length)}
var<private> kernel_element: u32;
struct KernelOut { ${members.join(", ")} }
${kernel.declarations}
fn kernel_body() -> KernelOut {
var out: KernelOut;
${kernel.body}
return out;
}
${entry((name) => kernel.outputs[name])}`;
  return { code, hasConstants: isUsed() };
}

const builtins = `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
`;

/** A pass that changes arrays: a thread an element. What it only writes is bound after what it reads. */
export function changingCode(program: KernelProgram, count: number): PassCode {
  const inputs = Object.keys(program.inputs);
  const written = Object.keys(program.outputs);
  const others = written.filter((name) => !inputs.includes(name));
  const arrays = [...inputs, ...others];
  const made = shader(
    program,
    count,
    (binding) =>
      others
        .map((_, k) => {
          const number = inputs.length + k;
          return `@group(0) @binding(${binding + k}) var<storage, read_write> array_${number}: array<u32>;`;
        })
        .join("\n"),
    (out) => `@compute @workgroup_size(${threads})
fn main(${builtins}) {
  kernel_element = linear_group(group, groups) * ${threads}u + thread;
  if (kernel_element >= element_count) { return; }
  let out = kernel_body();
${written.map((name) => `  array_${arrays.indexOf(name)}[kernel_element] = out.${out(name)};`).join("\n")}
}
`,
  );
  return { ...made, arrays };
}

/**
 * A pass whose outputs are summed: each workgroup writes the sums of what its threads computed, output by output, to binding 1 behind
 * the arrays.
 */
export function summingCode(program: KernelProgram, count: number, workgroups: number): PassCode {
  const outputs = Object.keys(program.outputs);
  const made = shader(
    program,
    count,
    (binding) => `@group(0) @binding(${binding}) var<storage, read_write> partial_sums: array<u32>;
var<workgroup> shared_sums: array<array<u32, ${outputs.length}>, ${threads}>;`,
    (out) => `@compute @workgroup_size(${threads})
fn main(${builtins}) {
  var sums: array<u32, ${outputs.length}>;
  for (kernel_element = group.x * ${threads}u + thread; kernel_element < element_count; kernel_element += ${threads * workgroups}u) {
    let out = kernel_body();
${outputs.map((name, k) => `    sums[${k}] += out.${out(name)};`).join("\n")}
  }
  shared_sums[thread] = sums;
  for (var reach = ${threads / 2}u; reach > 0u; reach >>= 1u) {
    workgroupBarrier();
    if (thread < reach) {
${outputs.map((_, k) => `      shared_sums[thread][${k}] += shared_sums[thread + reach][${k}];`).join("\n")}
    }
  }
  if (thread == 0u) {
${outputs.map((_, k) => `    partial_sums[group.x * ${outputs.length}u + ${k}u] = shared_sums[0][${k}];`).join("\n")}
  }
}
`,
  );
  return { ...made, arrays: Object.keys(program.inputs) };
}
