import type { ValueType } from "../types.ts";
import { eigen } from "./eigen.ts";
import { overload, shaderFunction } from "./elementwise.ts";
import type { CompositeFilter, CompositeOverload, ElementFilter, Filter, FunctionText } from "./filter.ts";
import { tensorScaling } from "./scaling.ts";
import { nan } from "./special-values.ts";

const group = "Tensors";

const trace: ElementFilter = {
  kind: "element",
  name: "trace",
  doc: {
    signature: "trace(m)",
    summary: "Sum of a tensor's diagonal.",
    formula: "m[0][0] + m[1][1] + m[2][2]",
    example: "trace(gradient(velocity))",
    group,
  },
  overloads: [overload(["mat3"], "scalar", "a[0].x + a[1].y + a[2].z")],
};

const determinant: ElementFilter = {
  kind: "element",
  name: "determinant",
  aliases: ["det"],
  doc: {
    signature: "determinant(m)",
    summary: "Determinant of a tensor.",
    example: "determinant(gradient(velocity))",
    group,
  },
  overloads: [overload(["mat3"], "scalar", "dot(a[0], cross(a[1], a[2]))")],
};

const transpose: ElementFilter = {
  kind: "element",
  name: "transpose",
  doc: {
    signature: "transpose(m)",
    summary:
      "The tensor with rows and columns exchanged. With axes, as in transpose(f, x, y), two axes of the grid change places, which need equally many values.",
    example: "0.5 * (gradient(velocity) + transpose(gradient(velocity)))",
    group,
  },
  overloads: [overload(["mat3"], "mat3", "transpose(a)")],
};

/** A text's columns are our rows: what it holds is the transpose, so products swap their factors. */
const matmul: ElementFilter = {
  kind: "element",
  name: "matmul",
  doc: {
    signature: "matmul(m, a)",
    summary: "Product of a tensor with a vector or with a tensor.",
    formula: "matmul(m, v)[i] = dot(m[i], v)",
    example: "matmul(gradient(velocity), velocity)",
    group,
  },
  overloads: [overload(["mat3", "vec3"], "vec3", "b * a"), overload(["mat3", "mat3"], "mat3", "b * a")],
};

const contractionOverload = (factors: 1 | 2) => {
  const other = factors === 1 ? "a" : "b";
  const text = [0, 1, 2].map((r) => `dot(a[${r}], ${other}[${r}])`).join(" + ");
  return overload(factors === 1 ? ["mat3"] : ["mat3", "mat3"], "scalar", text);
};

const contraction: ElementFilter = {
  kind: "element",
  name: "contraction",
  commutative: true,
  doc: {
    signature: "contraction(a, b)",
    summary:
      "Double contraction of two tensors: the sum of the products of their entries. contraction(a) contracts a with itself.",
    formula: "a : b = Σ a[i][j] * b[i][j]",
    example: "contraction(gradient(velocity), gradient(velocity))",
    group,
  },
  overloads: [contractionOverload(2), contractionOverload(1)],
};

/** The adjugate's columns are the cross products of the rows. */
const inverseText = `fn inverse_of(m: mat3x3<real>) -> mat3x3<real> {
  let cofactors = mat3x3<real>(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
  let det = dot(m[0], cofactors[0]);
  if (det == 0.0) {
    let none = vec3<real>(det / det);
    return mat3x3<real>(none, none, none);
  }
  let adjugate = transpose(cofactors);
  return mat3x3<real>(adjugate[0] / det, adjugate[1] / det, adjugate[2] / det);
}`;

/** The same, scaled so that products of entries stay within f32's range. */
const inverseOf: FunctionText = {
  requires: [tensorScaling],
  text: /* wgsl */ `
fn inverse_of(m: mat3x3f) -> mat3x3f {
  let scale = scale_of(m);
  let a = m * scale;
  let cofactors = mat3x3f(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
  let det = dot(a[0], cofactors[0]);
  if (det == 0.0) {
    let none = vec3f(${nan});
    return mat3x3f(none, none, none);
  }
  let adjugate = transpose(cofactors);
  return mat3x3f(adjugate[0] / det * scale, adjugate[1] / det * scale, adjugate[2] / det * scale);
}
`,
};

const inverse: ElementFilter = {
  kind: "element",
  name: "inverse",
  doc: {
    signature: "inverse(m)",
    summary:
      "The tensor whose product with m is the unit tensor; every entry is not a number where m is singular.",
    formula: "matmul(m, inverse(m)) = identity()",
    example: "inverse(gradient(velocity))",
    group,
  },
  overloads: [
    overload(["mat3"], "mat3", "inverse_of(a)", {
      functions: inverseText,
      shader: shaderFunction("inverse_of", inverseOf),
    }),
  ],
};

const everyType: readonly ValueType[] = ["scalar", "vec2", "vec3", "mat3", "bool"];

const identity: CompositeFilter = {
  kind: "composite",
  name: "identity",
  doc: {
    signature: "identity()",
    summary: "The unit tensor: 1 on the diagonal, 0 elsewhere. identity(a) is a itself.",
    example: "gradient(velocity) - trace(gradient(velocity)) / 3 * identity()",
    group,
  },
  overloads: [
    {
      inputs: [],
      output: "mat3",
      expand: (network) => network.constant([1, 0, 0, 0, 1, 0, 0, 0, 1]),
    },
    ...everyType.map(
      (type): CompositeOverload => ({ inputs: [type], output: type, expand: (_, [value]) => value }),
    ),
  ],
};

export const tensors: readonly Filter[] = [
  trace,
  determinant,
  transpose,
  inverse,
  matmul,
  contraction,
  ...eigen,
  identity,
];
