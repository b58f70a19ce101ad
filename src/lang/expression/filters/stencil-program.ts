import type { KernelInput, KernelProgram } from "../../../kernel/ir.ts";
import { simplifyKernel } from "../../../kernel/simplify/simplify.ts";
import { parseKernel } from "../../../kernel/text/parse.ts";
import { elementType, vectorOf } from "../../../kernel/types.ts";
import type { StencilInput, StencilText } from "./filter.ts";

const axes = ["x", "y", "z"] as const;

const tables = (scalar: Real): Readonly<Record<string, KernelInput>> =>
  Object.fromEntries(
    ["inverse_span", "inverse_step"].flatMap((name) =>
      axes.map((axis) => [`${name}_${axis}`, { scalar, access: { kind: "all" } }]),
    ),
  );

const widths = { scalar: 1, vec2: 2, vec3: 3 } as const;

type Real = "f32" | "f64";

/** The kernel of a stencil of such inputs. In f32 its text may take bits as `Bits`. */
export function stencilProgram(
  { text, reach, results }: StencilText,
  input: StencilInput,
  scalar: Real = "f64",
): KernelProgram {
  const components = widths[input];
  const distance = [reach ?? 0, reach ?? 0, reach ?? 0] as const;
  return parseKernel({
    name: "stencil",
    inputs: {
      f: {
        scalar,
        components,
        access:
          reach === undefined
            ? { kind: "offsets" }
            : { kind: "footprint", footprint: { before: distance, after: distance } },
      },
      ...tables(scalar),
    },
    outputs: Object.fromEntries(
      results.map((result) => [result.name, { scalar, components: result.components ?? components }]),
    ),
    constants: { dims: vectorOf("i32", 3), is_flat: vectorOf("bool", 3) },
    aliases: {
      T: elementType(scalar, components),
      real: elementType(scalar),
      Bits: elementType("u32", components),
    },
    text,
  });
}

const shaderKernels = new WeakMap<StencilText, Map<StencilInput, KernelProgram>>();

/** The kernel of a stencil as shaders take it, in f32: made once. */
export function shaderStencil(stencil: StencilText, input: StencilInput): KernelProgram {
  const made = shaderKernels.get(stencil) ?? new Map<StencilInput, KernelProgram>();
  shaderKernels.set(stencil, made);
  const kernel = made.get(input) ?? simplifyKernel(stencilProgram(stencil, input, "f32"));
  made.set(input, kernel);
  return kernel;
}
