import type { ValueType } from "../types.ts";
import { overload } from "./elementwise.ts";
import type {
  CompositeFilter,
  CompositeOverload,
  ElementFilter,
  Filter,
  StencilFilter,
  StencilInput,
  StencilOverload,
  StencilText,
} from "./filter.ts";
import { hessian, laplacian } from "./second-derivatives.ts";

const group = "Derivatives";

/** (f[i+1] − f[i−1]) / (x[i+1] − x[i−1]), indices clamped. Along flat directions 0, whatever the value: NaN · 0 would be NaN. */
const difference = (axis: "x" | "y" | "z"): string => {
  const at = (by: number) => ["x", "y", "z"].map((letter) => (letter === axis ? by : 0)).join(", ");
  const rise = `(f(${at(1)}) - f(${at(-1)}))`;
  return `out.${axis} = select(${rise} * inverse_span_${axis}(at.${axis}), T(0.0), constants.is_flat.${axis});`;
};

const differences: Pick<StencilText, "text" | "results"> = {
  text: `${difference("x")}\n${difference("y")}\n${difference("z")}`,
  results: ["x", "y", "z"].map((name, first) => ({ name, first, step: 3 })),
};

const gradientOverload = (input: StencilInput, output: ValueType): StencilOverload => ({
  inputs: [input],
  output,
  radius: 1,
  ...differences,
});

const gradient: StencilFilter = {
  kind: "stencil",
  name: "gradient",
  isDerivative: true,
  aliases: ["grad"],
  doc: {
    signature: "gradient(f)",
    summary:
      "Derivatives along x, y and z: for a scalar the vector ∇f, for a vector the tensor whose row i is ∇v[i]. Central differences, one-sided at the border, exact for linear fields on any rectilinear grid; 0 along a flat direction.",
    formula: "(f[i+1] - f[i-1]) / (x[i+1] - x[i-1])",
    example: "gradient(p)",
    group,
  },
  overloads: [
    gradientOverload("scalar", "vec3"),
    gradientOverload("vec3", "mat3"),
    gradientOverload("vec2", "mat3"),
  ],
};

const curlOfGradient: ElementFilter = {
  kind: "element",
  name: "curl_of_gradient",
  internal: true,
  doc: {
    signature: "curl_of_gradient(m)",
    summary: "The curl of the vector whose gradient is m.",
    example: "curl_of_gradient(gradient(velocity))",
    group,
  },
  overloads: [overload(["mat3"], "vec3", "vec3<real>(a[2].y - a[1].z, a[0].z - a[2].x, a[1].x - a[0].y)")],
};

/** A composite of `of`(gradient(v)), so that all of them share one gradient. */
export const ofGradient = (
  input: ValueType,
  output: ValueType,
  expand: CompositeOverload["expand"],
): CompositeOverload => ({
  inputs: [input],
  output,
  expand: (network, inputs) => expand(network, [network.apply("gradient", inputs)]),
});

const curl: CompositeFilter = {
  kind: "composite",
  name: "curl",
  aliases: ["vorticity"],
  doc: {
    signature: "curl(v)",
    summary:
      "Rotation of a vector field, its vorticity; for vectors of two components, the scalar ∂v/∂x - ∂u/∂y.",
    formula: "{∂w/∂y - ∂v/∂z, ∂u/∂z - ∂w/∂x, ∂v/∂x - ∂u/∂y}",
    example: "magnitude(curl(velocity))",
    group,
  },
  overloads: [
    ofGradient("vec3", "vec3", (network, inputs) => network.apply("curl_of_gradient", inputs)),
    ofGradient("vec2", "scalar", (network, inputs) =>
      network.apply("component_2", [network.apply("curl_of_gradient", inputs)]),
    ),
  ],
};

const divergence: CompositeFilter = {
  kind: "composite",
  name: "divergence",
  aliases: ["div"],
  doc: {
    signature: "divergence(v)",
    summary: "Rate at which a vector field spreads: the trace of its gradient.",
    formula: "∂u/∂x + ∂v/∂y + ∂w/∂z",
    example: "divergence(velocity)",
    group,
  },
  overloads: (["vec3", "vec2"] as const).map((type) =>
    ofGradient(type, "scalar", (network, inputs) => network.apply("trace", inputs)),
  ),
};

export const derivatives: readonly Filter[] = [
  gradient,
  curl,
  divergence,
  laplacian,
  hessian,
  curlOfGradient,
];
