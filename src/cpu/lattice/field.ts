/** What a model shows, from its arrays. */
import { countOf } from "../../core/hypercube/shape.ts";
import type { ElementRange } from "../../core/lattice/layers.ts";
import { componentNames, type LatticeArrays, type LatticePlan } from "../../core/lattice/model.ts";
import { fieldNamed } from "../../core/lattice/models.ts";
import { compileKernel } from "../../kernel/compile-js.ts";
import { fieldsProgram } from "../../kernel/lattice/programs.ts";
import { type RowPart, wholeRow } from "../../kernel/layout.ts";
import { inputsOf, type Kernel } from "./kernels.ts";

/** Sites whose fields are computed at a time. */
const chunk = 1 << 16;

const typed = { int8: Int8Array, float32: Float32Array } as const;

/** Kernels of the plans whose fields have been read: structure factors read one again and again. */
const compiled = new WeakMap<LatticePlan, Kernel>();

function compiledFor(plan: LatticePlan): Kernel {
  const kernel = compiled.get(plan) ?? compileKernel(fieldsProgram(plan));
  compiled.set(plan, kernel);
  return kernel;
}

/** Which elements arrays hold, and the sites that are wanted. */
interface FieldPart {
  readonly part: RowPart;
  readonly sites: ElementRange;
}

/** A field's values: components side by side, site by site, in the lattice's own order; of all sites or of some. Throws UnknownName. */
export function fieldOf(
  plan: LatticePlan,
  arrays: LatticeArrays,
  name: string,
  { part, sites }: FieldPart = {
    part: wholeRow(plan.length),
    sites: { first: 0, count: countOf(plan.lengths) },
  },
): Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  const field = fieldNamed(plan, name);
  const run = compiledFor(plan);
  const inputs = inputsOf(plan.show, arrays, part);
  const whole = countOf(plan.lengths);
  const held = Object.fromEntries(
    Object.entries(plan.fields)
      .flatMap(([other, of]) => componentNames(other, of))
      .map((component) => [component, new Float32Array(Math.min(chunk, sites.count))]),
  );
  const components = componentNames(name, field);
  const values = new typed[field.dtype](sites.count * components.length);
  for (let at = 0; at < sites.count; at += chunk) {
    const length = Math.min(chunk, sites.count - at);
    const space = { kind: "row", whole, first: sites.first + at, length } as const;
    run({ space, inputs, outputs: held, constants: {} });
    components.forEach((component, c) => {
      const from = held[component];
      for (let i = 0; i < length; i++) values[(at + i) * components.length + c] = from[i];
    });
  }
  return values;
}
