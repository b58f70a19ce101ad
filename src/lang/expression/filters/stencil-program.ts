import type { KernelInput, KernelProgram } from "../../../kernel/ir.ts";
import { parseKernel } from "../../../kernel/text/parse.ts";
import { elementType, vectorOf } from "../../../kernel/types.ts";
import type { StencilInput, StencilKernel } from "./filter.ts";

const axes = ["x", "y", "z"] as const;

const tables: Readonly<Record<string, KernelInput>> = Object.fromEntries(
  ["inverse_span", "inverse_step"].flatMap((name) =>
    axes.map((axis) => [`${name}_${axis}`, { scalar: "f64", access: { kind: "all" } }]),
  ),
);

const widths = { scalar: 1, vec2: 2, vec3: 3 } as const;

/** The kernel of a stencil of such inputs: reals are f64, which shaders take as f32. */
export function stencilProgram({ text, reach, results }: StencilKernel, input: StencilInput): KernelProgram {
  const components = widths[input];
  const distance = [reach ?? 0, reach ?? 0, reach ?? 0] as const;
  return parseKernel({
    name: "stencil",
    inputs: {
      f: {
        scalar: "f64",
        components,
        access:
          reach === undefined
            ? { kind: "offsets" }
            : { kind: "footprint", footprint: { before: distance, after: distance } },
      },
      ...tables,
    },
    outputs: Object.fromEntries(
      results.map((result) => [result.name, { scalar: "f64", components: result.components ?? components }]),
    ),
    constants: { dims: vectorOf("i32", 3), is_flat: vectorOf("bool", 3) },
    aliases: { T: elementType("f64", components), real: elementType("f64") },
    text,
  });
}
