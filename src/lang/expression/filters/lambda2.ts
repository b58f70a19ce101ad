import type { FunctionText } from "./filter.ts";

/**
 * The middle eigenvalue of A = S² + Ω² = ½(J² + (J²)ᵀ), J = S + Ω (Jeong & Hussain, J. Fluid Mech. 285, 1995).
 *
 * The trigonometric formula loses half of f32's digits where two eigenvalues nearly meet. The shader therefore finds
 * the eigenvalue that stands apart, which is well conditioned, and then solves the 2 × 2 problem in the plane
 * perpendicular to its eigenvector (the approach of D. Eberly, "A robust eigensolver for 3×3 symmetric matrices").
 * With B = (A − qI)/p, q = tr A / 3, 6p² = ‖A − qI‖², the eigenvalues of B solve t³ − 3t = det B =: 2r, |r| ≤ 1;
 * the outlying one has the sign of r and lies in [√3, 2].
 */
export const scaledLambda2: FunctionText = {
  text: /* wgsl */ `
fn lambda2(jacobian: mat3x3f) -> f32 {
  let sizes = max(max(abs(jacobian[0]), abs(jacobian[1])), abs(jacobian[2]));
  let scale = max(max(sizes.x, sizes.y), sizes.z);
  if (scale == 0.0) { return 0.0; }
  let j = jacobian * (1.0 / scale);
  let square = j * j;
  let a = 0.5 * (square + transpose(square));
  let q = (a[0].x + a[1].y + a[2].z) / 3.0;
  let diagonal = vec3f(a[0].x - q, a[1].y - q, a[2].z - q);
  let corner = vec3f(a[0].y, a[0].z, a[1].z);
  let p = sqrt((dot(diagonal, diagonal) + 2.0 * dot(corner, corner)) / 6.0);
  if (p < 1e-12) { return q * scale * scale; }
  let d = diagonal / p;
  let c = corner / p;
  let b = mat3x3f(vec3f(d.x, c.x, c.y), vec3f(c.x, d.y, c.z), vec3f(c.y, c.z, d.z));
  let r = clamp(0.5 * dot(b[0], cross(b[1], b[2])), -1.0, 1.0);
  // Newton's method on t³ − 3t − 2|r|, from the chord between its ends.
  var t = 1.7320508 + 0.26794919 * abs(r);
  t -= (t * t * t - 3.0 * t - 2.0 * abs(r)) / (3.0 * t * t - 3.0);
  t -= (t * t * t - 3.0 * t - 2.0 * abs(r)) / (3.0 * t * t - 3.0);
  let outer = select(t, -t, r < 0.0);
  // The eigenvector is perpendicular to the rows of B − outer·I: the longest of their cross products.
  let row0 = vec3f(d.x - outer, c.x, c.y);
  let row1 = vec3f(c.x, d.y - outer, c.z);
  let row2 = vec3f(c.y, c.z, d.z - outer);
  let n01 = cross(row0, row1);
  let n02 = cross(row0, row2);
  let n12 = cross(row1, row2);
  var n = n01;
  if (dot(n02, n02) > dot(n, n)) { n = n02; }
  if (dot(n12, n12) > dot(n, n)) { n = n12; }
  n = normalize(n);
  // An orthonormal basis (u, v) of the plane, and B in it.
  let helper = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.7);
  let u = normalize(cross(n, helper));
  let v = cross(n, u);
  let bu = b * u;
  let m00 = dot(u, bu);
  let m01 = dot(v, bu);
  let m11 = dot(v, b * v);
  let spread = sqrt((m00 - m11) * (m00 - m11) + 4.0 * m01 * m01);
  let inner = 0.5 * (m00 + m11 + select(spread, -spread, r < 0.0));
  return (q + p * inner) * scale * scale;
}
`,
};

/** In f64 the trigonometric formula has digits to spare: the middle eigenvalue is q − 2p·sin(asin(r)/3). */
export const lambda2Text = `fn lambda2(j: mat3x3<real>) -> real {
  let square = j * j;
  let xx = square[0].x;
  let yy = square[1].y;
  let zz = square[2].z;
  let xy = 0.5 * (square[0].y + square[1].x);
  let xz = 0.5 * (square[0].z + square[2].x);
  let yz = 0.5 * (square[1].z + square[2].y);
  let q = (xx + yy + zz) / 3.0;
  let far = vec3<real>(xx - q, yy - q, zz - q);
  let p = sqrt((dot(far, far) + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0);
  if (p == 0.0) { return q; }
  let d = far / p;
  let cxy = xy / p;
  let cxz = xz / p;
  let cyz = yz / p;
  let det = d.x * (d.y * d.z - cyz * cyz) - cxy * (cxy * d.z - cyz * cxz) + cxz * (cxy * cyz - d.y * cxz);
  let r = clamp(0.5 * det, -1.0, 1.0);
  return q - 2.0 * p * sin(asin(r) / 3.0);
}`;
