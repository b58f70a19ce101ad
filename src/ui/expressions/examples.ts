import type { Bounds } from "../../core/grid.ts";
import type { DataSetSummary, FieldSummary } from "../../engine/api.ts";
import { quoteName } from "../../lang/expression/syntax/quoting.ts";

export interface Example {
  readonly title: string;
  readonly text: string;
}

/** Programs that run unchanged on a data set. */
export function examplesFor({
  fields,
  grid,
  points,
}: Pick<DataSetSummary, "fields" | "grid" | "points">): Example[] {
  const named = (wanted: number) => {
    const field = fields.find(({ components }) => components === wanted);
    return field && quoteName(field.name);
  };
  const [vector, tensor, scalar] = [named(3) ?? vectorOfParts(fields), named(9), named(1)];
  const half = halfOf(grid ? "xyz" : ["coords[0]", "coords[1]", "coords[2]"], grid?.bounds ?? points?.bounds);
  return [
    ...(vector ? (grid ? vectorExamples(vector) : speedOf(vector)) : []),
    ...(tensor ? tensorExamples(tensor) : []),
    ...(scalar && grid ? slopeExamples(scalar) : []),
    ...(scalar ? scalarExamples(scalar, half) : []),
  ];
}

/** A vector of three scalars whose names differ by x, y and z alone, or are u, v and w: `{vx, vy, vz}`. */
function vectorOfParts(fields: readonly FieldSummary[]): string | undefined {
  const scalars = fields.filter(({ components }) => components === 1).map(({ name }) => name);
  const of = (names: readonly string[]) =>
    names.every((name) => scalars.includes(name)) ? `{${names.map(quoteName).join(", ")}}` : undefined;
  for (const name of scalars) {
    for (const { index, 0: letter } of name.matchAll(/[xX]/g)) {
      const others = letter === "x" ? "xyz" : "XYZ";
      const found = of([...others].map((other) => name.slice(0, index) + other + name.slice(index + 1)));
      if (found) return found;
    }
  }
  return of(["u", "v", "w"]);
}

/** A condition for one half of the data, along the first of y, x and z that is not flat. */
function halfOf(coordinates: ArrayLike<string>, bounds: Bounds = [0, 1, 0, 1, 0, 1]): string {
  const axis = [1, 0, 2].find((axis) => bounds[2 * axis + 1] > bounds[2 * axis]) ?? 0;
  const middle = Number((0.5 * (bounds[2 * axis] + bounds[2 * axis + 1])).toPrecision(6));
  return `${coordinates[axis]} > ${middle}`;
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

function slopeExamples(f: string): Example[] {
  return [
    { title: "Gradient magnitude", text: `steepness = magnitude(gradient(${f}))` },
    { title: "Laplacian", text: `curvature = laplacian(${f})` },
  ];
}

function scalarExamples(f: string, half: string): Example[] {
  return [
    {
      title: "Highest 10 %, and a histogram",
      text: `high = ${f} > quantile(${f}, 0.9)\nh = histogram(${f}, 64)`,
    },
    { title: "Cut away one half", text: `half = if ${half} then ${f} else 0` },
  ];
}

function speedOf(v: string): Example[] {
  return [{ title: "Magnitude of a vector", text: `length = magnitude(${v})` }];
}

function vectorExamples(given: string): Example[] {
  const isMade = given.startsWith("{");
  const v = isMade ? "velocity" : given;
  const examples = examplesOfVector(v);
  const made = `velocity = ${given}\n`;
  return isMade ? examples.map(({ title, text }) => ({ title, text: `${made}${text}` })) : examples;
}

function examplesOfVector(v: string): Example[] {
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
