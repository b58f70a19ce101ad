import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { tensorScaling } from "./scaling.ts";
import { nan } from "./special-values.ts";

/**
 * Swirling strength of a velocity gradient J: |Im λ| of its complex eigenvalues (Zhou, Adrian, Balachandar & Kendall,
 * J. Fluid Mech. 387, 1999). The eigenvalues of J − tr(J)/3 I solve t³ + pt + q = 0, p = −tr(D²)/2, q = −det D; where
 * Δ = (q/2)² + (p/3)³ > 0, Cardano's u³ = |q|/2 + √Δ gives |Im λ| = √3/2 · |u + p/(3u)|.
 */
export const swirlFragment: Fragment = {
  name: "swirl",
  requires: [tensorScaling, ...nan.fragments],
  code: /* wgsl */ `
fn swirl_of(m: mat3x3f) -> f32 {
  if (!is_finite_tensor(m)) { return ${nan.wgsl}; }
  let scale = scale_of(m);
  let j = m * scale;
  let mean = (j[0].x + j[1].y + j[2].z) / 3.0;
  let x = j[0] - vec3f(mean, 0.0, 0.0);
  let y = j[1] - vec3f(0.0, mean, 0.0);
  let z = j[2] - vec3f(0.0, 0.0, mean);
  let p = -0.5 * (x.x * x.x + y.y * y.y + z.z * z.z) - (x.y * y.x + x.z * z.x + y.z * z.y);
  let half = 0.5 * abs(dot(x, cross(y, z)));
  let third = p / 3.0;
  let discriminant = half * half + third * third * third;
  if (discriminant <= 0.0) { return 0.0; }
  let cube = half + sqrt(discriminant);
  var u = pow(cube, 1.0 / 3.0);
  u -= (u * u * u - cube) / (3.0 * u * u);
  return 0.8660254 * abs(u + third / u) / scale;
}
`,
};

export function swirlCpu(
  [m]: readonly Float64Array[],
  [at]: readonly number[],
  out: Float64Array,
  to: number,
): void {
  const mean = (m[at] + m[at + 4] + m[at + 8]) / 3;
  const [a, e, i] = [m[at] - mean, m[at + 4] - mean, m[at + 8] - mean];
  const [b, c, d, f, g, h] = [m[at + 1], m[at + 2], m[at + 3], m[at + 5], m[at + 6], m[at + 7]];
  const third = (-0.5 * (a * a + e * e + i * i) - (b * d + c * g + f * h)) / 3;
  const half = 0.5 * Math.abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
  const discriminant = half * half + third * third * third;
  if (!Number.isFinite(mean + b + c + d + f + g + h)) {
    out[to] = Number.NaN;
  } else if (discriminant <= 0) {
    out[to] = 0;
  } else {
    const u = Math.cbrt(half + Math.sqrt(discriminant));
    out[to] = (Math.sqrt(3) / 2) * Math.abs(u + third / u);
  }
}
