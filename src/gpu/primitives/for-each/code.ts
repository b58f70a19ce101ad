import type { Kernel } from "../../../core/primitives/kernel.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { floatTests } from "../../shader/finite.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { typeOf } from "./constants.ts";

export const forEachThreads = 256;

/** Words of the parameters before the lead of places, then those of inputs and outputs in that order, then of maps. */
const headWords = 2;

/** What a kernel is made for. */
export interface ForEachKernel {
  readonly kernel: Kernel;
  /** Whether it works at elements that a vector lists. */
  readonly hasAt: boolean;
  /** What is read through maps: inputs that are read at their own place by their name, and "@" where elements are. */
  readonly mapped: readonly string[];
}

/** The name under which a kernel's elements are mapped. */
export const elementsName = "@";

/** Storage bindings: inputs and outputs by their order, between them the places where there are any, then maps. */
export const storageBindings = ({ kernel, hasAt, mapped }: ForEachKernel): number =>
  Object.keys(kernel.inputs).length + Object.keys(kernel.outputs).length + (hasAt ? 1 : 0) + mapped.length;

/** Entry point for_each: a thread makes one element of each output. Bindings: parameters, constants, storage. */
export function forEachCode(made: ForEachKernel): string {
  const { kernel, hasAt, mapped } = made;
  const inputs = Object.entries(kernel.inputs);
  const outputs = Object.entries(kernel.outputs);
  const constants = Object.entries(kernel.constants);
  let binding = 2;
  const bind = (access: string, name: string, type: string) =>
    `@group(0) @binding(${binding++}) var<storage, ${access}> ${name}: array<${type}>;\n`;
  const word = (k: number) => `parameters.words[${k >> 2}u][${k & 3}u]`;
  const mapWords = (name: string) => {
    const first = headWords + 1 + inputs.length + outputs.length + 2 * mapped.indexOf(name);
    return { lead: word(first), length: word(first + 1) };
  };
  const input = ([name, slot]: (typeof inputs)[number], k: number) => {
    const { type, components = 1, access } = slot;
    const isOwn = access.kind === "own";
    const local = isOwn ? `place - ${word(1)}` : "i";
    const { lead, length } = mapWords(name);
    const index = mapped.includes(name)
      ? `map_${name}[${lead} + ${local}];
  if (index >= ${length}) { return ${typeOf(slot)}(); }`
      : `${local};`;
    const words = Array.from({ length: components }, (_, c) => `in_${name}[first + ${c}u]`);
    return `${bind("read", `in_${name}`, type)}fn ${name}(${isOwn ? "" : "i: u32"}) -> ${typeOf(slot)} {
  let index = ${index}
  let first = ${word(headWords + 1 + k)} + index * ${components}u;
  return ${typeOf(slot)}(${words.join(", ")});
}
`;
  };
  const at = () => {
    const { lead, length } = mapWords(elementsName);
    const place = mapped.includes(elementsName)
      ? `at_map[${lead} + local];
  if (place >= ${length}) { return 0u; }`
      : "local;";
    return `${bind("read", "at_words", "u32")}fn element_at(local: u32) -> u32 {
  let place = ${place}
  return at_words[${word(headWords)} + place];
}
`;
  };
  const store = ([name, { components = 1 }]: (typeof outputs)[number], k: number) =>
    Array.from({ length: components }, (_, c) => {
      const value = components === 1 ? `out.${name}` : `out.${name}[${c}]`;
      return `  out_${name}[${word(headWords + 1 + inputs.length + k)} + local * ${components}u + ${c}u] = ${value};\n`;
    }).join("");
  const slots = headWords + 1 + inputs.length + outputs.length + 2 * mapped.length;
  const mapNames = mapped.map((name) => (name === elementsName ? "at_map" : `map_${name}`));
  const used = [
    ...(constants.length > 0 ? ["constants"] : []),
    ...inputs.map(([name]) => `in_${name}`),
    ...mapNames,
  ];
  return /* wgsl */ `${linkFragments(linearGroup, floatTests)}
struct Parameters { words: array<vec4u, ${Math.ceil(slots / 4)}> }
@group(0) @binding(0) var<uniform> parameters: Parameters;
${
  constants.length === 0
    ? ""
    : `struct Constants { ${constants.map(([name, slot]) => `@align(16) @size(16) ${name}: ${typeOf(slot)}`).join(", ")} }
@group(0) @binding(1) var<uniform> constants: Constants;
`
}var<private> element: u32;
var<private> place: u32;
${inputs.map(input).join("")}${hasAt ? at() : ""}${outputs.map(([name, { type }]) => bind("read_write", `out_${name}`, type)).join("")}${mapNames.map((name) => bind("read", name, "u32")).join("")}
struct Out { ${outputs.map(([name, slot]) => `${name}: ${typeOf(slot)}`).join(", ")} }
var<private> out: Out;
${kernel.functions ?? ""}
fn body() {
  ${kernel.text.trim()}
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
  place = ${word(1)} + local;
  element = ${hasAt ? "element_at(local)" : "place"};
  body();
${outputs.map(store).join("")}}
`;
}
