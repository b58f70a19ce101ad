import type { Fragment } from "../../../gpu/shader/fragment.ts";
import type { ValueType } from "../types.ts";
import { eigen } from "./eigen.ts";
import { elementOverload } from "./elementwise.ts";
import type { CompositeFilter, CompositeOverload, ElementFilter, Filter } from "./filter.ts";
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
  overloads: [
    elementOverload(
      ["mat3"],
      "scalar",
      (m) => `${m}[0].x + ${m}[1].y + ${m}[2].z`,
      ([m], [i], out, to) => {
        out[to] = m[i] + m[i + 4] + m[i + 8];
      },
    ),
  ],
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
  overloads: [
    elementOverload(
      ["mat3"],
      "scalar",
      (m) => `dot(${m}[0], cross(${m}[1], ${m}[2]))`,
      ([m], [i], out, to) => {
        out[to] =
          m[i] * (m[i + 4] * m[i + 8] - m[i + 5] * m[i + 7]) +
          m[i + 1] * (m[i + 5] * m[i + 6] - m[i + 3] * m[i + 8]) +
          m[i + 2] * (m[i + 3] * m[i + 7] - m[i + 4] * m[i + 6]);
      },
    ),
  ],
};

const transpose: ElementFilter = {
  kind: "element",
  name: "transpose",
  doc: {
    signature: "transpose(m)",
    summary: "The tensor with rows and columns exchanged.",
    example: "0.5 * (gradient(velocity) + transpose(gradient(velocity)))",
    group,
  },
  overloads: [
    elementOverload(
      ["mat3"],
      "mat3",
      (m) => `transpose(${m})`,
      ([m], [i], out, to) => {
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[to + 3 * r + c] = m[i + 3 * c + r];
      },
    ),
  ],
};

/** WGSL's columns are our rows: what WGSL holds is the transpose, so products swap their factors. */
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
  overloads: [
    elementOverload(
      ["mat3", "vec3"],
      "vec3",
      (m, v) => `${v} * ${m}`,
      ([m, v], [i, j], out, to) => {
        for (let r = 0; r < 3; r++) {
          out[to + r] = m[i + 3 * r] * v[j] + m[i + 3 * r + 1] * v[j + 1] + m[i + 3 * r + 2] * v[j + 2];
        }
      },
    ),
    elementOverload(
      ["mat3", "mat3"],
      "mat3",
      (m, n) => `${n} * ${m}`,
      ([m, n], [i, j], out, to) => {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            out[to + 3 * r + c] =
              m[i + 3 * r] * n[j + c] + m[i + 3 * r + 1] * n[j + 3 + c] + m[i + 3 * r + 2] * n[j + 6 + c];
          }
        }
      },
    ),
  ],
};

const contractionOverload = (factors: 1 | 2) =>
  elementOverload(
    factors === 1 ? ["mat3"] : ["mat3", "mat3"],
    "scalar",
    (a, b = a) => `dot(${a}[0], ${b}[0]) + dot(${a}[1], ${b}[1]) + dot(${a}[2], ${b}[2])`,
    ([a, b = a], [i], out, to) => {
      let sum = 0;
      for (let c = 0; c < 9; c++) sum += a[i + c] * b[i + c];
      out[to] = sum;
    },
  );

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
const inverseOf: Fragment = {
  name: "inverse of a tensor",
  requires: [tensorScaling, ...nan.fragments],
  code: /* wgsl */ `
fn inverse_of(m: mat3x3f) -> mat3x3f {
  let scale = scale_of(m);
  let a = m * scale;
  let cofactors = mat3x3f(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
  let det = dot(a[0], cofactors[0]);
  if (det == 0.0) {
    let none = vec3f(${nan.wgsl});
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
    elementOverload(
      ["mat3"],
      "mat3",
      (m) => `inverse_of(${m})`,
      ([m], [i], out, to) => {
        const cofactor = (r: number, c: number) => {
          const [r1, r2] = [(r + 1) % 3, (r + 2) % 3];
          const [c1, c2] = [(c + 1) % 3, (c + 2) % 3];
          return m[i + 3 * r1 + c1] * m[i + 3 * r2 + c2] - m[i + 3 * r1 + c2] * m[i + 3 * r2 + c1];
        };
        const det = m[i] * cofactor(0, 0) + m[i + 1] * cofactor(0, 1) + m[i + 2] * cofactor(0, 2);
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) out[to + 3 * r + c] = det === 0 ? Number.NaN : cofactor(c, r) / det;
        }
      },
      [inverseOf],
    ),
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
