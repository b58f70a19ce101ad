import type { ElementLoop, FunctionText } from "./filter.ts";
import { tensorScaling } from "./scaling.ts";
import { nan } from "./special-values.ts";

/**
 * Swirling strength of a velocity gradient J: |Im λ| of its complex eigenvalues (Zhou, Adrian, Balachandar & Kendall,
 * J. Fluid Mech. 387, 1999). The eigenvalues of J − tr(J)/3 I solve t³ + pt + q = 0, p = −tr(D²)/2, q = −det D; where
 * Δ = (q/2)² + (p/3)³ > 0, Cardano's u³ = |q|/2 + √Δ gives |Im λ| = √3/2 · |u + p/(3u)|. Where two eigenvalues are equal, as in
 * a flow along a line, Δ is 0 but for rounding: it counts as 0 below 32 units in the last place of (q/2)².
 */
export const scaledSwirl: FunctionText = {
  requires: [tensorScaling],
  text: /* wgsl */ `
fn swirl_of(m: mat3x3f) -> f32 {
  if (!is_finite_tensor(m)) { return ${nan}; }
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
  if (discriminant <= 1.9073486328125e-6 * half * half) { return 0.0; }
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
  if (discriminant <= 3.552713678800501e-15 * half * half) { return 0.0; }
  let cube = half + sqrt(discriminant);
  let near = pow(cube, 1.0 / 3.0);
  let u = near - (near * near * near - cube) / (3.0 * near * near);
  return 0.8660254037844386 * abs(u + third / u);
}`;

/** With Math.cbrt, which kernel text has no function for: 39 ns an element instead of the 54 ns of the text's loop. */
export const swirlLoop: ElementLoop = ([m], out, count) => {
  for (let e = 0, at = 0; e < count; e++, at += 9) {
    const mean = (m[at] + m[at + 4] + m[at + 8]) / 3;
    const [x, y, z] = [m[at] - mean, m[at + 4] - mean, m[at + 8] - mean];
    const [b, c, d, f, g, h] = [m[at + 1], m[at + 2], m[at + 3], m[at + 5], m[at + 6], m[at + 7]];
    const third = (-0.5 * (x * x + y * y + z * z) - (b * d + c * g + f * h)) / 3;
    const half = 0.5 * Math.abs(x * (y * z - f * h) - b * (d * z - f * g) + c * (d * h - y * g));
    const discriminant = half * half + third * third * third;
    if (!Number.isFinite(mean + b + c + d + f + g + h)) {
      out[e] = Number.NaN;
    } else if (discriminant <= 2 ** -48 * half * half) {
      out[e] = 0;
    } else {
      const u = Math.cbrt(half + Math.sqrt(discriminant));
      out[e] = (Math.sqrt(3) / 2) * Math.abs(u + third / u);
    }
  }
};
