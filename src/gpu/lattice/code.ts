/** The shaders of lattice models' passes, and the words of their constants. */
import type { ElementRange } from "../../core/lattice/layers.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { isFloat, type PassCode, type PassSpace, PassWriter, threads } from "./pass-writer.ts";

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
