import { bindKernel, type CompileOptions } from "../../../kernel/compile-js.ts";
import { type KernelCall, type ResultLayout, wholeGrid, wholeRow } from "../../../kernel/layout.ts";
import { simplifyKernel } from "../../../kernel/simplify/simplify.ts";
import { componentsOf } from "../types.ts";
import type { AxisTables, Neighborhood, StencilKernel, StencilOverload } from "./filter.ts";
import { boxesOf } from "./neighborhood.ts";
import { stencilProgram } from "./stencil-program.ts";

/** Computes elements `first` … `first + count − 1`, x fastest, into the beginning of an array, interleaved. */
export type StencilRun = (first: number, count: number) => void;

type KernelOverload = Extract<StencilOverload, StencilKernel>;
type Binding = ReturnType<typeof bindKernel>;

const bindings = new WeakMap<StencilOverload, Binding>();

function bindingOf(overload: KernelOverload, options?: CompileOptions): Binding {
  const known = options ? undefined : bindings.get(overload);
  if (known) return known;
  const made = bindKernel(simplifyKernel(stencilProgram(overload, overload.inputs[0])), options);
  if (!options) bindings.set(overload, made);
  return made;
}

/** The stencil over values that stay where they are; code is generated where the page allows it, else interpreted. */
export function stencilLoop(
  overload: StencilOverload,
  input: Neighborhood,
  out: Float64Array,
  options?: CompileOptions,
): StencilRun {
  if ("loop" in overload) return (first, count) => overload.loop(input, first, count, out);
  const { dims, components } = input;
  const { results } = overload;
  const width = componentsOf(overload.output);
  const layoutsFrom = (element: number): Record<string, ResultLayout> => {
    const layouts: Record<string, ResultLayout> = {};
    for (const { name, first, step } of results) {
      layouts[name] = { lead: element * width + first, stride: width, componentStride: step };
    }
    return layouts;
  };
  const run = bindingOf(
    overload,
    options,
  )({
    space: wholeGrid(dims),
    inputs: inputsOf(input),
    outputs: Object.fromEntries(results.map(({ name }) => [name, out])),
    layouts: layoutsFrom(0),
    constants: { dims, is_flat: dims.map((n) => Number(n === 1)) },
  });
  const set = results.reduce((sum, result) => sum + (result.components ?? components), 0);
  return (first, count) => {
    for (const { origin, extents, to } of boxesOf(dims, first, count)) {
      run({ space: { kind: "grid", whole: dims, origin, extents }, layouts: layoutsFrom(to) });
    }
    if (set === width) return;
    for (let e = 0; e < count; e++) out.fill(0, e * width + set, (e + 1) * width);
  };
}

function inputsOf({ dims, values, components, stride, offset, ...axes }: Neighborhood): KernelCall["inputs"] {
  const tables = (name: string, along: AxisTables) =>
    along.map((words, axis) => [`${name}_${"xyz"[axis]}`, { words, part: wholeRow(words.length) }]);
  return {
    f: { words: values, part: wholeGrid(dims), lead: offset, elementStride: stride },
    ...Object.fromEntries([
      ...tables("inverse_span", axes.inverseSpans),
      ...tables("inverse_step", axes.inverseSteps),
    ]),
  };
}
