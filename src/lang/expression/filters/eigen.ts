import { overload } from "./elementwise.ts";
import type { ElementFilter, FunctionText } from "./filter.ts";
import { tensorScaling } from "./scaling.ts";
import { nan } from "./special-values.ts";

const group = "Tensors";

/** Jacobi's method converges quadratically: after five sweeps of three rotations a 3×3 tensor is diagonal in f64. */
const sweeps = 5;

const rotation = (p: number, q: number, pq: string, pr: string, qr: string, negligible: string) => {
  const [dp, dq] = [`d.${"xyz"[p]}`, `d.${"xyz"[q]}`];
  return `    if (abs(${pq}) > ${negligible}) {
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

/** Turns the diagonal `d` and the corners `o` of a tensor, and `v`, into eigenvalues and rows of eigenvectors. */
const solution = (negligible: string) => `
  for (var sweep = 0; sweep < ${sweeps}; sweep++) {
${rotation(0, 1, "o.x", "o.y", "o.z", negligible)}
${rotation(0, 2, "o.y", "o.x", "o.z", negligible)}
${rotation(1, 2, "o.z", "o.x", "o.y", negligible)}
  }
${exchange(0, 1)}
${exchange(0, 2)}
${exchange(1, 2)}
  for (var k = 0; k < 3; k++) {
    let size = abs(v[k]);
    let largest = select(select(v[k].z, v[k].y, size.y >= size.z), v[k].x, size.x >= max(size.y, size.z));
    v[k] = v[k] * select(1.0, -1.0, largest < 0.0);
  }`;

/**
 * Eigenvalues, largest first, and unit eigenvectors of a tensor's symmetric part (C. G. J. Jacobi 1846; Golub & Van
 * Loan, Matrix Computations, § 8.5): rotations keep the vectors perpendicular whatever eigenvalues coincide.
 * A first diagonal entry is taken off beforehand, so that digits are not lost to a large multiple of the unit tensor.
 */
const eigenText = `
struct Eigen {
  values: vec3<real>,
  vectors: mat3x3<real>,
}

fn eigen_of(m: mat3x3<real>) -> Eigen {
  let zero = vec3<real>(0.0);
  // 0 where every entry is finite, else NaN.
  let total = dot(m[0], zero) + dot(m[1], zero) + dot(m[2], zero);
  if (isNan(total)) {
    let none = vec3<real>(total);
    return Eigen(none, mat3x3<real>(none, none, none));
  }
  let base = m[0].x;
  var d = vec3<real>(0.0, m[1].y - base, m[2].z - base);
  var o = 0.5 * vec3<real>(m[0].y + m[1].x, m[0].z + m[2].x, m[1].z + m[2].y);
  var v = mat3x3<real>(vec3<real>(1.0, 0.0, 0.0), vec3<real>(0.0, 1.0, 0.0), vec3<real>(0.0, 0.0, 1.0));
${solution("0.0")}
  return Eigen(d + base, v);
}
`;

/** The same, scaled so that entries stay within f32's range. */
const scaledEigen: FunctionText = {
  requires: [tensorScaling],
  text: /* wgsl */ `
struct Eigen {
  values: vec3f,
  vectors: mat3x3f,
}

fn eigen_of(m: mat3x3f) -> Eigen {
  if (!is_finite_tensor(m)) {
    let none = vec3f(${nan});
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
${solution("1e-12")}
  return Eigen((d / rest + base) / scale, v);
}
`,
};

const ofEigen = (text: string) => ({
  functions: eigenText,
  shader: { text, functions: [scaledEigen] },
});

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
  overloads: [overload(["mat3"], "vec3", "eigen_of(a).values", ofEigen("eigen_of(a).values"))],
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
    overload(["mat3"], "mat3", "transpose(eigen_of(a).vectors)", ofEigen("transpose(eigen_of(a).vectors)")),
  ],
};

export const eigen: readonly ElementFilter[] = [eigenvalue, eigenvector];
