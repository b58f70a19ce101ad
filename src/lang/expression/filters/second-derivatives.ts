import type { StencilFilter, StencilInput, StencilOverload } from "./filter.ts";

const group = "Derivatives";
const maxRadius = 8;
const axes = ["x", "y", "z"] as const;
type Axis = (typeof axes)[number];

const offset = (along: Partial<Record<Axis, number>>): string =>
  `f(${axes.map((axis) => along[axis] ?? 0).join(", ")})`;

/**
 * Names `second`, the second difference along an axis over a point and its neighbours, exact for quadratics; at a border that
 * of the nearest point which has two neighbours (which makes quadratics exact there too).
 */
const secondDifference = (axis: Axis): string => `  var i = i32(at.${axis});
  var lower = ${offset({ [axis]: -1 })};
  var middle = ${offset({})};
  var upper = ${offset({ [axis]: 1 })};
  if (i == 0) {
    lower = middle;
    middle = upper;
    upper = ${offset({ [axis]: 2 })};
    i += 1;
  } else if (i == constants.dims.${axis} - 1) {
    upper = middle;
    middle = lower;
    lower = ${offset({ [axis]: -2 })};
    i -= 1;
  }
  let rise = (upper - middle) * inverse_step_${axis}(i);
  let fall = (middle - lower) * inverse_step_${axis}(i - 1);
  let second = 2.0 * inverse_span_${axis}(i) * (rise - fall);`;

/** The same over three points `radius` apart. The way between them is summed step by step, which keeps its digits in f32. */
function farDifference(axis: Axis, radius: number): string {
  const value = (index: string) =>
    `f(${axes.map((other) => (other === axis ? index : `p.${other}`)).join(", ")})`;
  const way = (from: number) =>
    Array.from({ length: radius }, (_, k) => `1.0 / inverse_step_${axis}(i + ${from + k})`)
      .join(" + ")
      .replaceAll("+ -", "- ");
  return `  let p = vec3i(at);
  let i = max(${radius}, min(p.${axis}, constants.dims.${axis} - ${radius + 1}));
  let middle = ${value("i")};
  let up = ${way(0)};
  let down = ${way(-radius)};
  let rise = (${value(`i + ${radius}`)} - middle) / up;
  let fall = (middle - ${value(`i - ${radius}`)}) / down;
  let second = 2.0 * (rise - fall) / (up + down);`;
}

/** Directions too short for three points contribute 0. */
const laplacianText = (radius: number): string => `var sum = T(0.0);
${axes
  .map(
    (axis) => `if (constants.dims.${axis} > ${2 * radius}) {
${radius === 1 ? secondDifference(axis) : farDifference(axis, radius)}
  sum += second;
}`,
  )
  .join("\n")}
out.sum = sum;`;

const laplacianOverload = (type: StencilInput, radius: number): StencilOverload => ({
  inputs: [type],
  output: type,
  radius: 2 * radius,
  text: laplacianText(radius),
  reach: radius === 1 ? undefined : 2 * radius,
  results: [{ name: "sum", first: 0, step: 1 }],
});

const laplacianOf = (radius: number): Pick<StencilFilter, "kind" | "doc" | "overloads" | "isDerivative"> => ({
  kind: "stencil",
  isDerivative: true,
  doc: {
    signature: "laplacian(f, radius)",
    summary: `Sum of the second derivatives along x, y and z, for vectors component by component, from values \`radius\` points away (default 1, at most ${maxRadius}); exact for quadratic fields on any rectilinear grid. Directions with fewer than 2 radius + 1 values contribute 0.`,
    example: "laplacian(p)",
    group,
  },
  overloads: [
    laplacianOverload("scalar", radius),
    laplacianOverload("vec2", radius),
    laplacianOverload("vec3", radius),
  ],
});

export const laplacian: StencilFilter = {
  ...laplacianOf(1),
  name: "laplacian",
  parameter: {
    rule: `needs a radius that is a whole number from 1 to ${maxRadius}`,
    accepts: (radius) => Number.isInteger(radius) && radius >= 1 && radius <= maxRadius,
    make: (radius) => (radius === 1 ? laplacian : { ...laplacianOf(radius), name: `laplacian:${radius}` }),
  },
};

/** Differences of differences, one-sided at the border. */
function mixedDifference(a: Axis, b: Axis): string {
  const across = (end: number) => `(${offset({ [a]: end, [b]: 1 })} - ${offset({ [a]: end, [b]: -1 })})`;
  const spans = [a, b].map((axis) => `inverse_span_${axis}(at.${axis})`).join(" * ");
  const isFlat = [a, b].map((axis) => `constants.is_flat.${axis}`).join(" || ");
  return `let ${a}${b} = select((${across(1)} - ${across(-1)}) * (${spans}), 0.0, ${isFlat});`;
}

const hessianText = `${axes
  .map(
    (axis) => `var ${axis}${axis} = T(0.0);
if (constants.dims.${axis} > 2) {
${secondDifference(axis)}
  ${axis}${axis} = second;
}`,
  )
  .join("\n")}
${mixedDifference("x", "y")}
${mixedDifference("x", "z")}
${mixedDifference("y", "z")}
out.x = vec3<real>(xx, xy, xz);
out.y = vec3<real>(xy, yy, yz);
out.z = vec3<real>(xz, yz, zz);`;

export const hessian: StencilFilter = {
  kind: "stencil",
  name: "hessian",
  isDerivative: true,
  doc: {
    signature: "hessian(f)",
    summary:
      "Symmetric tensor of a scalar's second derivatives; its trace is laplacian(f). Exact for quadratic fields on any rectilinear grid; 0 along flat directions.",
    formula: "{{∂²f/∂x², ∂²f/∂x∂y, ∂²f/∂x∂z}, …}",
    example: "eigenvalue(hessian(p))",
    group,
  },
  overloads: [
    {
      inputs: ["scalar"],
      output: "mat3",
      radius: 2,
      text: hessianText,
      results: axes.map((name, row) => ({ name, components: 3, first: 3 * row, step: 1 })),
    },
  ],
};
