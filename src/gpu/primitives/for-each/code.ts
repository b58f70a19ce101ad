import type { Kernel, Slot } from "../../../core/primitives/kernel.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

export const forEachThreads = 256;

/** Words of the parameters before the leads of inputs and outputs, in that order. */
const headWords = 3;

/** Words that a constant takes. */
export const constantWords = 4;

const typeOf = ({ type, components = 1 }: Slot) => (components === 1 ? type : `vec${components}<${type}>`);

/** Storage bindings: inputs and outputs by their order, and the places between them where there are any. */
export const storageBindings = ({ inputs, outputs }: Kernel, hasAt: boolean): number =>
  Object.keys(inputs).length + Object.keys(outputs).length + (hasAt ? 1 : 0);

/** Entry point for_each: a thread makes one element of each output. Bindings: parameters, constants, storage. */
export function forEachCode(kernel: Kernel, hasAt: boolean): string {
  const inputs = Object.entries(kernel.inputs);
  const outputs = Object.entries(kernel.outputs);
  const constants = Object.entries(kernel.constants);
  let binding = 2;
  const bind = (access: string, name: string, type: string) =>
    `@group(0) @binding(${binding++}) var<storage, ${access}> ${name}: array<${type}>;\n`;
  const word = (k: number) => `parameters.words[${k >> 2}u][${k & 3}u]`;
  const input = ([name, slot]: (typeof inputs)[number], k: number) => {
    const { type, components = 1, reach } = slot;
    const place = reach === "own" ? `(i - ${word(1)})` : "i";
    const at = `${word(headWords + k)} + ${place} * ${components}u`;
    const words = Array.from({ length: components }, (_, c) => `in_${name}[first + ${c}u]`);
    return `${bind("read", `in_${name}`, type)}fn ${name}(i: u32) -> ${typeOf(slot)} {
  let first = ${at};
  return ${typeOf(slot)}(${words.join(", ")});
}
`;
  };
  const store = ([name, { components = 1 }]: (typeof outputs)[number], k: number) =>
    Array.from({ length: components }, (_, c) => {
      const value = components === 1 ? `out.${name}` : `out.${name}[${c}]`;
      return `  out_${name}[${word(headWords + inputs.length + k)} + local * ${components}u + ${c}u] = ${value};\n`;
    }).join("");
  const slots = headWords + inputs.length + outputs.length;
  const used = [...(constants.length > 0 ? ["constants"] : []), ...inputs.map(([name]) => `in_${name}`)];
  return /* wgsl */ `${linkFragments(linearGroup)}
struct Parameters { words: array<vec4u, ${Math.ceil(slots / 4)}> }
@group(0) @binding(0) var<uniform> parameters: Parameters;
${
  constants.length === 0
    ? ""
    : `struct Constants { ${constants.map(([name, slot]) => `@align(16) @size(16) ${name}: ${typeOf(slot)}`).join(", ")} }
@group(0) @binding(1) var<uniform> constants: Constants;
`
}${inputs.map(input).join("")}${hasAt ? bind("read", "at_words", "u32") : ""}${outputs.map(([name, { type }]) => bind("read_write", `out_${name}`, type)).join("")}
struct Out { ${outputs.map(([name, slot]) => `${name}: ${typeOf(slot)}`).join(", ")} }
${kernel.wgslFunctions ?? ""}
fn body(element: u32, place: u32) -> Out {
  var out: Out;
  ${kernel.wgsl.trim()}
  return out;
}

@compute @workgroup_size(${forEachThreads})
fn for_each(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  ${used.map((name) => `_ = &${name};`).join(" ")}
  let local = linear_group(group, groups) * ${forEachThreads}u + thread;
  if (local >= ${word(0)}) { return; }
  let place = ${word(1)} + local;
  let out = body(${hasAt ? `at_words[${word(2)} + local]` : "place"}, place);
${outputs.map(store).join("")}}
`;
}
