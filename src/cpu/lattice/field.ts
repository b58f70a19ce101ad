/** What a model shows, from its arrays. */
import { countOf } from "../../core/hypercube/shape.ts";
import { componentNames, type LatticeArrays, type LatticePlan } from "../../core/lattice/model.ts";
import { fieldNamed } from "../../core/lattice/models.ts";
import { compileKernel } from "../../kernel/compile-js.ts";
import { arrayNamed, fieldsProgram } from "../../kernel/lattice/programs.ts";
import { wholeRow } from "../../kernel/layout.ts";

/** Sites whose fields are computed at a time. */
const chunk = 1 << 16;

const typed = { int8: Int8Array, float32: Float32Array } as const;

type Kernel = ReturnType<typeof compileKernel>;

/** Kernels of the plans whose fields have been read: structure factors read one again and again. */
const compiled = new WeakMap<LatticePlan, Kernel>();

function compiledFor(plan: LatticePlan): Kernel {
  const kernel = compiled.get(plan) ?? compileKernel(fieldsProgram(plan));
  compiled.set(plan, kernel);
  return kernel;
}

/** A field's values: components side by side, site by site, in the lattice's own order. Throws UnknownName. */
export function fieldOf(
  plan: LatticePlan,
  arrays: LatticeArrays,
  name: string,
): Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  const field = fieldNamed(plan, name);
  const run = compiledFor(plan);
  const inputs = Object.fromEntries(
    Object.keys(plan.show.reads).map((read) => {
      const words = arrays[arrayNamed(plan.show, read)];
      return [read, { words, part: wholeRow(words.length) }];
    }),
  );
  const sites = countOf(plan.lengths);
  const held = Object.fromEntries(
    Object.entries(plan.fields)
      .flatMap(([other, of]) => componentNames(other, of))
      .map((component) => [component, new Float32Array(Math.min(chunk, sites))]),
  );
  const components = componentNames(name, field);
  const values = new typed[field.dtype](sites * components.length);
  for (let first = 0; first < sites; first += chunk) {
    const count = Math.min(chunk, sites - first);
    run({ space: { kind: "row", whole: sites, first, length: count }, inputs, outputs: held, constants: {} });
    components.forEach((component, c) => {
      const from = held[component];
      for (let i = 0; i < count; i++) values[(first + i) * components.length + c] = from[i];
    });
  }
  return values;
}
