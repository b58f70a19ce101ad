/** Mesh filters as shaders take them: kernels of the representation, in f32. */
import type { KernelInput, KernelProgram } from "../../../kernel/ir.ts";
import { parseKernel } from "../../../kernel/text/parse.ts";
import { vectorOf } from "../../../kernel/types.ts";
import type { MeshFilter } from "./filter.ts";

const tables: Readonly<Record<string, KernelInput>> = Object.fromEntries(
  ["coordinate", "inverse_step"].flatMap((name) =>
    [..."xyz"].map((axis) => [`${name}_${axis}`, { scalar: "f32", access: { kind: "all" } }]),
  ),
);

const kernels = new WeakMap<MeshFilter, KernelProgram>();

/** The kernel that sets `value` for each element of the grid. */
export function meshKernel(filter: MeshFilter): KernelProgram {
  let kernel = kernels.get(filter);
  if (!kernel) {
    kernel = parseKernel({
      name: filter.name,
      inputs: tables,
      outputs: { value: { scalar: "f32", components: filter.output === "vec3" ? 3 : 1 } },
      constants: {
        first: vectorOf("i32", 3),
        whole: vectorOf("i32", 3),
        low: vectorOf("f32", 3),
        high: vectorOf("f32", 3),
      },
      text: filter.text,
    });
    kernels.set(filter, kernel);
  }
  return kernel;
}
