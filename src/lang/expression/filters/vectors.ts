import { overload, shaderFunction } from "./elementwise.ts";
import type { ElementFilter, FunctionText } from "./filter.ts";

const group = "Vectors";

/** Scaled by the largest component, so that squares neither overflow nor vanish in f32. */
const lengthOf = (type: "vec2" | "vec3"): FunctionText => ({
  text: /* wgsl */ `
fn length_of_${type}(v: ${type}f) -> f32 {
  let size = abs(v);
  let largest = ${type === "vec2" ? "max(size.x, size.y)" : "max(max(size.x, size.y), size.z)"};
  let isPlain = largest > 1e-15 && largest < 1e15;
  let scale = select(largest, 1.0, isPlain || largest == 0.0 || !isFinite(largest));
  let scaled = v / scale;
  return sqrt(dot(scaled, scaled)) * scale;
}
`,
});

const lengths = { vec2: lengthOf("vec2"), vec3: lengthOf("vec3") };

const magnitude: ElementFilter = {
  kind: "element",
  name: "magnitude",
  aliases: ["norm", "mag"],
  doc: {
    signature: "magnitude(v)",
    summary:
      "Length of a vector, Frobenius norm of a tensor, absolute value of a scalar; norm is the same (for a unit vector use normalize).",
    formula: "sqrt(v[0]^2 + v[1]^2 + v[2]^2)",
    example: "magnitude(velocity)",
    group,
  },
  overloads: [
    overload(["scalar"], "scalar", "abs(a)"),
    overload(["vec2"], "scalar", "length(a)", { shader: shaderFunction("length_of_vec2", lengths.vec2) }),
    overload(["vec3"], "scalar", "length(a)", { shader: shaderFunction("length_of_vec3", lengths.vec3) }),
    overload(["mat3"], "scalar", "sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]))", {
      shader: {
        text: "length_of_vec3(vec3f(length_of_vec3(a[0]), length_of_vec3(a[1]), length_of_vec3(a[2])))",
        functions: [lengths.vec3],
      },
    }),
  ],
};

const unitOf = (type: "vec2" | "vec3"): FunctionText => ({
  requires: [lengths[type]],
  text: /* wgsl */ `
fn unit_of_${type}(v: ${type}f) -> ${type}f {
  let size = length_of_${type}(v);
  return v / select(size, 1.0, size == 0.0);
}
`,
});

const normalize: ElementFilter = {
  kind: "element",
  name: "normalize",
  doc: {
    signature: "normalize(v)",
    summary: "The vector of length 1 in the same direction; a zero vector stays zero.",
    formula: "v / magnitude(v)",
    example: "normalize(gradient(p))",
    group,
  },
  overloads: (["vec2", "vec3"] as const).map((type) =>
    overload([type], type, `select(a / length(a), ${type}<real>(0.0), length(a) == 0.0)`, {
      shader: shaderFunction(`unit_of_${type}`, unitOf(type)),
    }),
  ),
};

const dot: ElementFilter = {
  kind: "element",
  name: "dot",
  commutative: true,
  doc: {
    signature: "dot(a, b)",
    summary: "Scalar product of two vectors.",
    formula: "a[0]*b[0] + a[1]*b[1] + a[2]*b[2]",
    example: "dot(velocity, curl(velocity))",
    group,
  },
  overloads: (["vec2", "vec3"] as const).map((type) => overload([type, type], "scalar", "dot(a, b)")),
};

const cross: ElementFilter = {
  kind: "element",
  name: "cross",
  doc: {
    signature: "cross(a, b)",
    summary:
      "Vector product: perpendicular to both vectors, right-handed; for vectors of two components, the scalar a[0]*b[1] - a[1]*b[0].",
    formula: "{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}",
    example: "cross(velocity, curl(velocity))",
    group,
  },
  overloads: [
    overload(["vec3", "vec3"], "vec3", "cross(a, b)"),
    overload(["vec2", "vec2"], "scalar", "a.x * b.y - a.y * b.x"),
  ],
};

export const vectors: readonly ElementFilter[] = [dot, cross, magnitude, normalize];
