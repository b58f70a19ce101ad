import type { ConstantValues } from "../../../core/primitives/access.ts";
import type { Signature } from "../../../core/primitives/kernel.ts";
import type { Bindings } from "../../compute/bind-groups.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { floatTests } from "../../shader/finite.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { constantsOf, typeOf } from "../for-each/constants.ts";

export const eachThreads = 256;
/** Workgroups at most: each strides over the elements. */
const maxGroups = 1024;

/** Where the result is bound: after parameters and constants. */
export const resultBinding = 2;
const firstInput = resultBinding + 1;

/** Words of the parameters before those of the kernel's own, which the leads of the inputs follow. */
const headWords = 3;

/** WGSL of a word of the parameters that a kernel has of its own. */
export const ownWord = (k: number): string => wordOf(headWords + k);

const wordOf = (k: number) => `parameters.words[${k >> 2}u][${k & 3}u]`;

/**
 * Code that reads what a function's signature names, with `ownWords` parameters besides. `element_count()` is the number of
 * elements, `first_element()` the first of them, `result_lead()` how many words of the result's binding come before it; `move_to(i)` sets the
 * places that the function's text sees.
 */
export function signatureCode({ inputs, constants }: Signature, ownWords: number): string {
  const slots = Object.entries(inputs);
  const numbers = Object.entries(constants);
  const words = headWords + ownWords + slots.length;
  const readers = slots.map(([name, slot], k) => {
    const { type, components = 1, access } = slot;
    const isOwn = access.kind === "own";
    const local = isOwn ? "element - first_element()" : "i";
    const parts = Array.from({ length: components }, (_, c) => `in_${name}[at + ${c}u]`);
    return `@group(0) @binding(${firstInput + k}) var<storage, read> in_${name}: array<${type}>;
fn ${name}(${isOwn ? "" : "i: u32"}) -> ${typeOf(slot)} {
  let at = ${wordOf(headWords + ownWords + k)} + (${local}) * ${components}u;
  return ${typeOf(slot)}(${parts.join(", ")});
}
`;
  });
  const members = numbers.map(([name, slot]) => `@align(16) @size(16) ${name}: ${typeOf(slot)}`);
  return /* wgsl */ `${linkFragments(floatTests)}
struct Parameters { words: array<vec4u, ${Math.ceil(words / 4)}> }
@group(0) @binding(0) var<uniform> parameters: Parameters;
fn element_count() -> u32 { return ${wordOf(0)}; }
fn first_element() -> u32 { return ${wordOf(1)}; }
fn result_lead() -> u32 { return ${wordOf(2)}; }
var<private> element: u32;
var<private> place: u32;
fn move_to(i: u32) {
  element = first_element() + i;
  place = element;
}
${
  members.length === 0
    ? ""
    : `struct Constants { ${members.join(", ")} }
@group(0) @binding(1) var<uniform> constants: Constants;
`
}${readers.join("")}`;
}

/** Statements that use whatever a signature names, so that it is bound. */
export const uses = ({ inputs, constants }: Signature): string =>
  [
    ...(Object.keys(constants).length > 0 ? ["constants"] : []),
    ...Object.keys(inputs).map((name) => `in_${name}`),
  ]
    .map((name) => `_ = &${name};`)
    .join(" ");

/** The elements of a dispatch, and what it reads. */
export interface EachOperands {
  /** The first element's place; vectors of their own elements begin there. */
  readonly first: number;
  readonly count: number;
  /** In the order of the signature. */
  readonly inputs: readonly View[];
  readonly constants: ConstantValues;
  /** The positions of the first elements of inputs that are read at positions, by their names; 0 where they are left out. */
  readonly origins?: Readonly<Record<string, number>>;
}

/** Workgroups for so many elements, of which each is to have `least`. */
export const groupsFor = (count: number, least: number): number =>
  Math.min(maxGroups, Math.ceil(count / Math.max(eachThreads, least)));

/** Throws BadArgument or TooLarge where operands do not suit a signature. */
export function checkOperands({ device }: GpuContext, signature: Signature, { inputs }: EachOperands): void {
  for (const [k, [name, { components = 1 }]] of Object.entries(signature.inputs).entries()) {
    checkView(device, name, inputs[k], components);
  }
}

/** What a kernel made by `signatureCode` is bound to. */
export function bindingsOf(
  recorder: Recorder,
  signature: Signature,
  { first, count, inputs, constants, origins }: EachOperands,
  own: readonly number[],
  result: View,
): Bindings {
  const slots = Object.entries(signature.inputs);
  const bound = inputs.map((view, k) => bindView(view, slots[k][1].components));
  const target = bindView(result);
  const leads = bound.map(({ lead }, k) => {
    const [name, { components = 1 }] = slots[k];
    return lead - (origins?.[name] ?? 0) * components;
  });
  const values = constantsOf(signature, constants);
  return [
    recorder.parameters([count, first, target.lead, ...own, ...leads]),
    values.length > 0 ? recorder.parameters(values) : undefined,
    target.resource,
    ...bound.map(({ resource }) => resource),
  ];
}
