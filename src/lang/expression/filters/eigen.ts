import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { elementOverload } from "./elementwise.ts";
import type { ElementFilter } from "./filter.ts";
import { tensorScaling } from "./scaling.ts";
import { nan } from "./special-values.ts";

const group = "Tensors";

/** Jacobi's method converges quadratically: after five sweeps of three rotations a 3×3 tensor is diagonal in f64. */
const sweeps = 5;

const rotation = (p: number, q: number, pq: string, pr: string, qr: string) => {
  const [dp, dq] = [`d.${"xyz"[p]}`, `d.${"xyz"[q]}`];
  return `    if (abs(${pq}) > 1e-12) {
      let cotangent = (${dq} - ${dp}) / (2.0 * ${pq});
      let t = select(1.0, -1.0, cotangent < 0.0) / (abs(cotangent) + sqrt(cotangent * cotangent + 1.0));
      let c = inverseSqrt(t * t + 1.0);
      let s = t * c;
      ${dp} -= t * ${pq};
      ${dq} += t * ${pq};
      ${pq} = 0.0;
      let far = ${pr};
      ${pr} = c * far - s * ${qr};
      ${qr} = s * far + c * ${qr};
      let turned = v[${p}];
      v[${p}] = c * turned - s * v[${q}];
      v[${q}] = s * turned + c * v[${q}];
    }`;
};

const exchange = (a: number, b: number) => `  if (d.${"xyz"[a]} < d.${"xyz"[b]}) {
    d = d.${["yxz", "zyx", "xzy"][a + b - 1]};
    let smaller = v[${a}];
    v[${a}] = v[${b}];
    v[${b}] = smaller;
  }`;

/**
 * Eigenvalues, largest first, and unit eigenvectors of a tensor's symmetric part (C. G. J. Jacobi 1846; Golub & Van
 * Loan, Matrix Computations, § 8.5): rotations keep the vectors perpendicular whatever eigenvalues coincide.
 * A first diagonal entry is taken off beforehand, so that digits are not lost to a large multiple of the unit tensor.
 */
const eigenFragment: Fragment = {
  name: "eigen",
  requires: [tensorScaling, ...nan.fragments],
  code: /* wgsl */ `
struct Eigen {
  values: vec3f,
  vectors: mat3x3f,
}

fn eigen_of(m: mat3x3f) -> Eigen {
  if (!is_finite_tensor(m)) {
    let none = vec3f(${nan.wgsl});
    return Eigen(none, mat3x3f(none, none, none));
  }
  let scale = scale_of(m);
  let scaled = m * scale;
  let base = scaled[0].x;
  let diagonal = vec3f(0.0, scaled[1].y - base, scaled[2].z - base);
  let corners = 0.5 * vec3f(scaled[0].y + scaled[1].x, scaled[0].z + scaled[2].x, scaled[1].z + scaled[2].y);
  let rest = scale_of(mat3x3f(diagonal, corners, vec3f(0.0)));
  var d = diagonal * rest;
  var o = corners * rest;
  var v = mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));
  for (var sweep = 0; sweep < ${sweeps}; sweep++) {
${rotation(0, 1, "o.x", "o.y", "o.z")}
${rotation(0, 2, "o.y", "o.x", "o.z")}
${rotation(1, 2, "o.z", "o.x", "o.y")}
  }
${exchange(0, 1)}
${exchange(0, 2)}
${exchange(1, 2)}
  for (var k = 0; k < 3; k++) {
    let size = abs(v[k]);
    let largest = select(select(v[k].z, v[k].y, size.y >= size.z), v[k].x, size.x >= max(size.y, size.z));
    v[k] = v[k] * select(1.0, -1.0, largest < 0.0);
  }
  return Eigen((d / rest + base) / scale, v);
}
`,
};

interface Eigen {
  readonly values: Float64Array;
  /** Vector k at 3k. */
  readonly vectors: Float64Array;
}

/** The same in f64. The result is overwritten by the next call. */
const eigenOf = (() => {
  const a = new Float64Array(9);
  const values = new Float64Array(3);
  const vectors = new Float64Array(9);
  const rotate = (p: number, q: number) => {
    const pq = a[3 * p + q];
    if (pq === 0) return;
    const cotangent = (a[4 * q] - a[4 * p]) / (2 * pq);
    const t = (cotangent < 0 ? -1 : 1) / (Math.abs(cotangent) + Math.sqrt(cotangent * cotangent + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    const r = 3 - p - q;
    const [pr, qr] = [a[3 * p + r], a[3 * q + r]];
    a[4 * p] -= t * pq;
    a[4 * q] += t * pq;
    a[3 * p + q] = a[3 * q + p] = 0;
    a[3 * p + r] = a[3 * r + p] = c * pr - s * qr;
    a[3 * q + r] = a[3 * r + q] = s * pr + c * qr;
    for (let i = 0; i < 3; i++) {
      const turned = vectors[3 * p + i];
      vectors[3 * p + i] = c * turned - s * vectors[3 * q + i];
      vectors[3 * q + i] = s * turned + c * vectors[3 * q + i];
    }
  };
  const exchange = (k: number, l: number) => {
    if (values[k] >= values[l]) return;
    [values[k], values[l]] = [values[l], values[k]];
    for (let i = 0; i < 3; i++) {
      [vectors[3 * k + i], vectors[3 * l + i]] = [vectors[3 * l + i], vectors[3 * k + i]];
    }
  };
  const point = (k: number) => {
    let largest = 3 * k;
    for (let i = 3 * k + 1; i < 3 * k + 3; i++) {
      if (Math.abs(vectors[i]) > Math.abs(vectors[largest])) largest = i;
    }
    if (vectors[largest] < 0) for (let i = 0; i < 3; i++) vectors[3 * k + i] *= -1;
  };
  return (m: Float64Array, at: number): Eigen => {
    for (let i = 0; i < 9; i++) {
      if (!Number.isFinite(m[at + i]))
        return { values: values.fill(Number.NaN), vectors: vectors.fill(Number.NaN) };
    }
    const base = m[at];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        a[3 * r + c] = r === c ? m[at + 4 * r] - base : 0.5 * (m[at + 3 * r + c] + m[at + 3 * c + r]);
        vectors[3 * r + c] = Number(r === c);
      }
    }
    for (let sweep = 0; sweep < sweeps; sweep++) {
      rotate(0, 1);
      rotate(0, 2);
      rotate(1, 2);
    }
    for (let k = 0; k < 3; k++) values[k] = a[4 * k] + base;
    exchange(0, 1);
    exchange(0, 2);
    exchange(1, 2);
    for (let k = 0; k < 3; k++) point(k);
    return { values, vectors };
  };
})();

const eigenvalue: ElementFilter = {
  kind: "element",
  name: "eigenvalue",
  aliases: ["eigenvalues"],
  doc: {
    signature: "eigenvalue(m)",
    summary:
      "The three eigenvalues of a symmetric tensor, largest first; for other tensors, those of the symmetric part.",
    formula: "m v = λ v, λ[0] ≥ λ[1] ≥ λ[2]",
    example: "eigenvalue(hessian(p))[0]",
    group,
  },
  overloads: [
    elementOverload(
      ["mat3"],
      "vec3",
      (m) => `eigen_of(${m}).values`,
      ([m], [i], out, to) => out.set(eigenOf(m, i).values, to),
      [eigenFragment],
    ),
  ],
};

const eigenvector: ElementFilter = {
  kind: "element",
  name: "eigenvector",
  aliases: ["eigenvectors"],
  doc: {
    signature: "eigenvector(m)",
    summary:
      "The tensor whose columns are the unit eigenvectors of a symmetric tensor, in the order of eigenvalue(m); transpose(eigenvector(m))[0] is the first. They are perpendicular even where eigenvalues are equal and the choice is arbitrary; the largest component of each is positive.",
    formula: "m v = λ v",
    example: "transpose(eigenvector(hessian(p)))[0]",
    group,
  },
  overloads: [
    elementOverload(
      ["mat3"],
      "mat3",
      (m) => `transpose(eigen_of(${m}).vectors)`,
      ([m], [i], out, to) => {
        const { vectors } = eigenOf(m, i);
        for (let r = 0; r < 3; r++) for (let k = 0; k < 3; k++) out[to + 3 * r + k] = vectors[3 * k + r];
      },
      [eigenFragment],
    ),
  ],
};

export const eigen: readonly ElementFilter[] = [eigenvalue, eigenvector];
