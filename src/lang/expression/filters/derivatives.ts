import { componentsOf, type ValueType } from "../types.ts";
import { overload } from "./elementwise.ts";
import type {
  CompositeFilter,
  CompositeOverload,
  ElementFilter,
  Filter,
  Neighborhood,
  NumberArray,
  StencilFilter,
  StencilOverload,
} from "./filter.ts";
import { forEachRow } from "./neighborhood.ts";
import { hessian, laplacian } from "./second-derivatives.ts";

const group = "Derivatives";

/** (f[i+1] − f[i−1]) / (x[i+1] − x[i−1]), indices clamped: `rows` × 3 values an element, row c being ∇f_c. */
function gradientCpu(input: Neighborhood, first: number, count: number, out: Float64Array, rows: number) {
  const { dims, values, components, stride = components, offset = 0, coordinates } = input;
  const [stepY, stepZ] = [dims[0] * stride, dims[0] * dims[1] * stride];
  const [x, y, z] = coordinates;
  forEachRow(dims, first, count, (element, i, j, k, e, length) => {
    const lowY = j > 0 ? 1 : 0;
    const highY = j < dims[1] - 1 ? 1 : 0;
    const lowZ = k > 0 ? 1 : 0;
    const highZ = k < dims[2] - 1 ? 1 : 0;
    for (let c = 0; c < components; c++) {
      gradientRow(
        values,
        element * stride + offset + c,
        stride,
        x,
        i,
        length,
        lowY * stepY,
        highY * stepY,
        y[j + highY] - y[j - lowY],
        lowZ * stepZ,
        highZ * stepZ,
        z[k + highZ] - z[k - lowZ],
        out,
        3 * (e * rows + c),
        3 * rows,
      );
    }
  });
  // Also where the value itself is none, or infinite.
  for (let axis = 0; axis < 3; axis++) {
    if (dims[axis] === 1) for (let i = axis; i < count * rows * 3; i += 3) out[i] = 0;
  }
  if (components < rows) {
    for (let e = 0; e < count; e++) out.fill(0, (e * rows + components) * 3, (e + 1) * rows * 3);
  }
}

/**
 * The gradient of one component along a row from `at` on, whose first value is the i-th of it. The rows below and above
 * in y and z begin `lowY` … `highZ` values from it, and lie `spanY` and `spanZ` apart.
 */
function gradientRow(
  values: NumberArray,
  at: number,
  stride: number,
  x: Float64Array,
  first: number,
  length: number,
  lowY: number,
  highY: number,
  spanY: number,
  lowZ: number,
  highZ: number,
  spanZ: number,
  out: Float64Array,
  to: number,
  outStride: number,
) {
  const last = x.length - 1;
  for (
    let e = 0, i = first, here = at, there = to;
    e < length;
    e++, i++, here += stride, there += outStride
  ) {
    const low = i > 0 ? 1 : 0;
    const high = i < last ? 1 : 0;
    out[there] = (values[here + high * stride] - values[here - low * stride]) / (x[i + high] - x[i - low]);
    out[there + 1] = (values[here + highY] - values[here - lowY]) / spanY;
    out[there + 2] = (values[here + highZ] - values[here - lowZ]) / spanZ;
  }
}

/** Along flat directions 0, whatever the value: NaN · 0 would be none. */
const differencesWgsl = (type: string, fetch: string) => `  let low = max(p - 1, vec3i(0));
  let high = min(p + 1, dims - 1);
  let rise_x = ${fetch}(vec3i(high.x, p.y, p.z)) - ${fetch}(vec3i(low.x, p.y, p.z));
  let rise_y = ${fetch}(vec3i(p.x, high.y, p.z)) - ${fetch}(vec3i(p.x, low.y, p.z));
  let dx = select(rise_x * spans.x, ${type}(), flat_x);
  let dy = select(rise_y * spans.y, ${type}(), flat_y);
  let dz = select((above - below) * spans.z, ${type}(), flat_z);`;

const inputTypes = { scalar: "f32", vec2: "vec2f", vec3: "vec3f" } as const;

const gradientOverload = (
  input: keyof typeof inputTypes,
  output: ValueType,
  result: string,
): StencilOverload => ({
  inputs: [input],
  output,
  radius: 1,
  wgsl: (fetch) => `${differencesWgsl(inputTypes[input], fetch)}\n  return ${result};`,
  cpu: (neighborhood, first, count, out) =>
    gradientCpu(neighborhood, first, count, out, componentsOf(output) / 3),
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
    gradientOverload("scalar", "vec3", "vec3f(dx, dy, dz)"),
    gradientOverload("vec3", "mat3", "transpose(mat3x3f(dx, dy, dz))"),
    gradientOverload("vec2", "mat3", "mat3x3f(vec3f(dx.x, dy.x, dz.x), vec3f(dx.y, dy.y, dz.y), vec3f(0.0))"),
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
