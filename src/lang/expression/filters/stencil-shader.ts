import { kernelWgsl, typeWgsl } from "../../../kernel/emit/wgsl/wgsl.ts";
import type { Expression, Load } from "../../../kernel/ir.ts";
import { simplifyKernel } from "../../../kernel/simplify/simplify.ts";
import { elementType } from "../../../kernel/types.ts";
import type { StencilOverload } from "./filter.ts";
import { stencilProgram } from "./stencil-program.ts";

/**
 * The body of `fn name(p: vec3i, here: T, below: T, above: T, spans: vec3f) -> output`: the values at p and its neighbours
 * one plane down and up, and in derivatives the inverse spans at p. `fetch(p: vec3i) -> T`, `inverse_span(axis: i32, i: i32)`
 * and `inverse_step`, `dims: vec3i` and `flat_x`, `flat_y`, `flat_z` are at hand.
 */
export function stencilWgsl(overload: StencilOverload, fetch: string, isDerivative: boolean): string {
  if ("loop" in overload) return overload.shader.wgsl(fetch);
  if (overload.shader) return overload.shader.wgsl(fetch);
  const program = simplifyKernel(stencilProgram(overload, overload.inputs[0]));
  const { body, declarations } = kernelWgsl(program, {
    load: (load, indices) => {
      if (load.input !== "f") return tableAt(load, indices);
      return overload.reach === undefined
        ? valueAt(load, fetch, isDerivative)
        : `${fetch}(vec3i(${indices.join(", ")}))`;
    },
    constant: (name) => (name === "dims" ? "dims" : "vec3<bool>(flat_x, flat_y, flat_z)"),
    position: () => "vec3u(p)",
    output: (name) => name,
  });
  if (declarations !== "") throw new TypeError("A stencil's text needs functions of its own.");
  const variables = Object.entries(program.outputs).map(
    ([name, { components }]) => `var ${name}: ${typeWgsl(elementType("f32", components))};`,
  );
  const value = overload.assemble(overload.results.map(({ name }) => name));
  return [...variables, body, `return ${value};`].map((line) => line.replace(/^/gm, "  ")).join("\n");
}

/** The values at hand lack the offset of a centred field, which derivatives alone do without. */
function valueAt({ indices }: Load, fetch: string, isDerivative: boolean): string {
  const offsets = indices.map((index) => (index.kind === "literal" ? Number(index.value) : 0));
  const [dx, dy, dz] = offsets;
  if (isDerivative && dx === 0 && dy === 0 && Math.abs(dz) <= 1) return ["below", "here", "above"][dz + 1];
  return `${fetch}(vec3i(${offsets.map((by, axis) => moved("xyz"[axis], by)).join(", ")}))`;
}

function moved(axis: string, by: number): string {
  if (by === 0) return `p.${axis}`;
  return by < 0 ? `max(p.${axis} - ${-by}, 0)` : `min(p.${axis} + ${by}, dims.${axis} - 1)`;
}

function tableAt({ input, indices }: Load, [text]: readonly string[]): string {
  const [, name, axis] = /^(inverse_span|inverse_step)_([xyz])$/.exec(input)!;
  if (name === "inverse_span" && isOwnPlace(indices[0])) return `spans.${axis}`;
  return `${name}(${"xyz".indexOf(axis)}, i32(${text}))`;
}

/** Whether an index is a component of `at`. */
const isOwnPlace = (index: Expression): boolean =>
  index.kind === "swizzle" && index.operand.kind === "position";
