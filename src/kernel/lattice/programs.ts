/** Passes of lattice models (core/lattice) as programs. */
import { effectiveIndex } from "../../core/hypercube/index-map.ts";
import type { LatticePlan, Pass } from "../../core/lattice/model.ts";
import { sourceFunction } from "../hypercube/source-index.ts";
import type { KernelProgram } from "../ir.ts";
import { simplifyKernel } from "../simplify/simplify.ts";
import { parseKernel } from "../text/parse.ts";
import { f32, type Type, u32, vectorOf } from "../types.ts";

export function passProgram(
  { type, constants }: LatticePlan,
  { name, text, reads, writes, maps }: Pass,
): KernelProgram {
  const values = (length: number): Type => ({ kind: "array", element: type === "u32" ? u32 : f32, length });
  return simplifyKernel(
    parseKernel({
      name,
      text,
      inputs: Object.fromEntries(
        Object.entries(reads).map(([array, kind]) => [array, { scalar: type, access: { kind } }]),
      ),
      outputs: Object.fromEntries(writes.map((array) => [array, { scalar: type }])),
      constants: {
        seed: vectorOf("u32", 2),
        sweep: u32,
        ...Object.fromEntries(
          Object.entries(constants).map(([constant, length]) => [constant, values(length)]),
        ),
      },
      callables: Object.entries(maps).map(([callable, map]) => sourceFunction(effectiveIndex(map), callable)),
    }),
  );
}

/** The two parts of a pass that has them; undefined for others. */
export function deferredPrograms(
  plan: LatticePlan,
  { deferral, ...pass }: Pass,
): { readonly first: KernelProgram; readonly rest: KernelProgram } | undefined {
  if (!deferral) return undefined;
  const { first, carried, rest } = deferral;
  const held = [...pass.writes, ...carried];
  return {
    first: passProgram(plan, { ...pass, text: first, writes: held }),
    rest: passProgram(plan, {
      ...pass,
      text: rest,
      reads: Object.fromEntries(held.map((name) => [name, "own"] as const)),
      maps: {},
    }),
  };
}
