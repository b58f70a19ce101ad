import { elementOverload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";

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

export const tensors: readonly ElementFilter[] = [trace, determinant, transpose, matmul];
