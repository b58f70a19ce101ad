import type { FieldSummary } from "../../engine/api.ts";
import { quoteName } from "../../lang/expression/syntax/quoting.ts";

export interface Example {
  readonly title: string;
  readonly text: string;
}

/** Programs that run unchanged on a data set with these fields. */
export function examplesFor(fields: readonly FieldSummary[]): Example[] {
  const vector = fields.find(({ components }) => components === 3);
  const tensor = fields.find(({ components }) => components === 9);
  const scalar = fields.find(({ components }) => components === 1);
  return [
    ...(vector ? vectorExamples(quoteName(vector.name)) : []),
    ...(tensor ? tensorExamples(quoteName(tensor.name)) : []),
    ...(scalar ? scalarExamples(quoteName(scalar.name)) : []),
  ];
}

function tensorExamples(m: string): Example[] {
  return [
    { title: "Trace of a tensor", text: `t = trace(${m})` },
    { title: "Magnitude of a tensor", text: `m = magnitude(${m})` },
    {
      title: "Deviatoric part of a tensor",
      text: `d = ${m} - trace(${m}) / 3 * {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}`,
    },
  ];
}

function scalarExamples(f: string): Example[] {
  return [
    { title: "Gradient magnitude", text: `steepness = magnitude(gradient(${f}))` },
    { title: "Laplacian", text: `curvature = laplacian(${f})` },
    {
      title: "Highest 10 %, and a histogram",
      text: `high = ${f} > quantile(${f}, 0.9)\nh = histogram(${f}, 64)`,
    },
    { title: "Cut away one half", text: `half = if y > 0 then ${f} else 0` },
  ];
}

function vectorExamples(v: string): Example[] {
  const components = `u = ${v}[0]; v = ${v}[1]; w = ${v}[2]`;
  return [
    { title: "Q-criterion", text: `q = q_criterion(${v})` },
    { title: "λ₂", text: `l2 = lambda2(${v})` },
    { title: "Vorticity magnitude", text: `spin = magnitude(vorticity(${v}))` },
    { title: "Helicity density", text: `helicity = dot(${v}, curl(${v}))` },
    { title: "Divergence", text: `div = divergence(${v})` },
    { title: "Velocity magnitude, step by step", text: `${components}\nv_mag = sqrt(u*u + v*v + w*w)` },
    { title: "Vorticity magnitude, step by step", text: `${components}\n${vorticityMagnitude}` },
    { title: "Q-criterion, step by step", text: `${components}\n${qCriterion}` },
  ];
}

const gradients = `du = grad3d(u, dims, x, y, z)
dv = grad3d(v, dims, x, y, z)
dw = grad3d(w, dims, x, y, z)`;

const vorticityMagnitude = `${gradients}
w_x = dw[1] - dv[2]
w_y = du[2] - dw[0]
w_z = dv[0] - du[1]
w_mag = sqrt(w_x*w_x + w_y*w_y + w_z*w_z)`;

const qCriterion = `${gradients}
# the symmetric part of the velocity gradient
s_xy = 0.5*(du[1] + dv[0])
s_xz = 0.5*(du[2] + dw[0])
s_yz = 0.5*(dv[2] + dw[1])
s_norm = du[0]^2 + dv[1]^2 + dw[2]^2 + 2*(s_xy^2 + s_xz^2 + s_yz^2)
# the antisymmetric part
w_xy = 0.5*(du[1] - dv[0])
w_xz = 0.5*(du[2] - dw[0])
w_yz = 0.5*(dv[2] - dw[1])
w_norm = 2*(w_xy^2 + w_xz^2 + w_yz^2)
q = 0.5*(w_norm - s_norm)`;
