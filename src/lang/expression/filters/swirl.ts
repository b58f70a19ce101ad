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

/** In f64 nothing needs scaling. A step of Newton's method makes up for the digits that the power loses. */
export const swirlText = `fn swirl_of(m: mat3x3<real>) -> real {
  let mean = (m[0].x + m[1].y + m[2].z) / 3.0;
  let x = m[0] - vec3<real>(mean, 0.0, 0.0);
  let y = m[1] - vec3<real>(0.0, mean, 0.0);
  let z = m[2] - vec3<real>(0.0, 0.0, mean);
  let third = (-0.5 * (x.x * x.x + y.y * y.y + z.z * z.z) - (x.y * y.x + x.z * z.x + y.z * z.y)) / 3.0;
  let half = 0.5 * abs(dot(x, cross(y, z)));
  let discriminant = half * half + third * third * third;
  let sum = mean + x.y + x.z + y.x + y.z + z.x + z.y;
  if (!isFinite(sum)) { return sum - sum; }
  if (discriminant <= 0.0) { return 0.0; }
  let cube = half + sqrt(discriminant);
  let near = pow(cube, 1.0 / 3.0);
  let u = near - (near * near * near - cube) / (3.0 * near * near);
  return 0.8660254037844386 * abs(u + third / u);
}`;
