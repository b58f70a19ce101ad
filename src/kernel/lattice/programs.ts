/** Passes of lattice models (core/lattice) as programs. */
import { effectiveIndex } from "../../core/hypercube/index-map.ts";
import {
  arrayNamed,
  componentNames,
  type ElementType,
  type FieldsPass,
  type LatticePlan,
  type Pass,
} from "../../core/lattice/model.ts";
import { sourceFunction } from "../hypercube/source-index.ts";
import type { KernelProgram } from "../ir.ts";
import { simplifyKernel } from "../simplify/simplify.ts";
import { parseKernel } from "../text/parse.ts";
import { f32, i32, type Type, u32, vectorOf } from "../types.ts";

const scalars = { u32, i32, f32 } as const;

type Written = Readonly<Record<string, ElementType>>;

const constantsOf = ({ constants }: LatticePlan): Readonly<Record<string, Type>> => ({
  seed: vectorOf("u32", 2),
  sweep: u32,
  step: u32,
  ...Object.fromEntries(
    Object.entries(constants).map(([name, { type, length }]) => [
      name,
      { kind: "array", element: scalars[type], length },
    ]),
  ),
});

/** `carried`: types of inputs that are no arrays of the plan's. */
function programOf(
  plan: LatticePlan,
  pass: FieldsPass,
  written: Written,
  constants: Readonly<Record<string, Type>> = constantsOf(plan),
  carried: Written = {},
): KernelProgram {
  const { name, text, reads, maps } = pass;
  const scalarOf = (array: string) => carried[array] ?? plan.arrays[arrayNamed(pass, array)];
  return simplifyKernel(
    parseKernel({
      name,
      text,
      inputs: Object.fromEntries(
        Object.entries(reads).map(([array, kind]) => [array, { scalar: scalarOf(array), access: { kind } }]),
      ),
      outputs: Object.fromEntries(Object.entries(written).map(([array, scalar]) => [array, { scalar }])),
      constants,
      callables: Object.entries(maps).map(([callable, map]) => sourceFunction(effectiveIndex(map), callable)),
    }),
  );
}

const writtenBy = (plan: LatticePlan, pass: Pass): Written =>
  Object.fromEntries(pass.writes.map((name) => [name, plan.arrays[arrayNamed(pass, name)]]));

/** A pass that changes arrays. */
const passProgram = (plan: LatticePlan, pass: Pass): KernelProgram =>
  programOf(plan, pass, writtenBy(plan, pass));

/** What gives each pass its program: the same to passes that differ in their arrays and steps alone. */
export function sharedPrograms(plan: LatticePlan): (pass: Pass) => KernelProgram {
  const made = new Map<string, KernelProgram>();
  return (pass) => {
    const { name, text, maps, reads } = pass;
    const types = Object.keys(reads).map((read) => plan.arrays[arrayNamed(pass, read)]);
    const key = JSON.stringify([name, text, maps, reads, types, writtenBy(plan, pass)]);
    const program = made.get(key) ?? passProgram(plan, pass);
    made.set(key, program);
    return program;
  };
}

/** A pass of the plan's brush. */
export const brushProgram = (plan: LatticePlan, pass: Pass): KernelProgram =>
  programOf(plan, pass, writtenBy(plan, pass), {
    center: { kind: "array", element: f32, length: plan.lengths.length },
    radius_squared: f32,
    value: f32,
  });

/** The pass whose outputs are summed. */
export const sumsProgram = (plan: LatticePlan): KernelProgram =>
  programOf(plan, plan.sums, Object.fromEntries(plan.sums.writes.map((name) => [name, plan.sumType])));

/** The pass over the sites that writes fields' components as f32. */
export const fieldsProgram = (plan: LatticePlan): KernelProgram =>
  programOf(
    plan,
    plan.show,
    Object.fromEntries(
      Object.entries(plan.fields)
        .flatMap(([name, field]) => componentNames(name, field))
        .map((name) => [name, "f32"]),
    ),
    {},
  );

/** The two parts of a pass that has them; undefined for others. */
export function deferredPrograms(
  plan: LatticePlan,
  { deferral, ...pass }: Pass,
): { readonly first: KernelProgram; readonly rest: KernelProgram } | undefined {
  if (!deferral) return undefined;
  const { first, carried, rest } = deferral;
  const words: Written = Object.fromEntries(carried.map((name) => [name, "u32"]));
  const written = writtenBy(plan, pass);
  const held = { ...written, ...words };
  return {
    first: programOf(plan, { ...pass, text: first }, held),
    rest: programOf(
      plan,
      {
        ...pass,
        text: rest,
        reads: Object.fromEntries(Object.keys(held).map((name) => [name, "own"] as const)),
        maps: {},
      },
      written,
      undefined,
      words,
    ),
  };
}
