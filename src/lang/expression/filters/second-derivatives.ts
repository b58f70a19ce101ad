import type { ValueType } from "../types.ts";
import type { Neighborhood, StencilFilter, StencilOverload } from "./filter.ts";
import { forEachElement } from "./neighborhood.ts";

const group = "Derivatives";
const maxRadius = 8;

/**
 * The second difference over three points `radius` apart, exact for quadratics; near a border that of the nearest
 * point which has such neighbours (which makes quadratics exact there too), 0 along directions too short for any.
 */
const laplacianCpu =
  (radius: number): StencilOverload["cpu"] =>
  (input, first, count, out) => {
    const { dims, values, components, stride = components, offset = 0, coordinates } = input;
    const steps = [1, dims[0], dims[0] * dims[1]];
    forEachElement(dims, first, count, (at, index, e) => {
      for (let c = 0; c < components; c++) {
        let sum = 0;
        for (let axis = 0; axis < 3; axis++) {
          const n = dims[axis];
          if (n <= 2 * radius) continue;
          const i = Math.min(Math.max(index[axis], radius), n - 1 - radius);
          const x = coordinates[axis];
          const center = (at + (i - index[axis]) * steps[axis]) * stride + offset + c;
          const step = radius * steps[axis] * stride;
          const up = (values[center + step] - values[center]) / (x[i + radius] - x[i]);
          const down = (values[center] - values[center - step]) / (x[i] - x[i - radius]);
          sum += (2 * (up - down)) / (x[i + radius] - x[i - radius]);
        }
        out[e * components + c] = sum;
      }
    });
  };

const letters = "xyz";

/** The value `step` from q along one axis, p along the others. */
function near(fetch: string, axis: number, step: string): string {
  const at = [...letters].map((letter, a) => (a === axis ? `q.${letter}${step}` : `p.${letter}`));
  return `${fetch}(vec3i(${at.join(", ")}))`;
}

/** The second difference along an axis of `upper`, `middle` and `lower`, the direct neighbours of q. */
function secondDifference(axis: number): string {
  const i = `q.${letters[axis]}`;
  return `2.0 * inverse_span(${axis}, ${i}) * ((upper - middle) * inverse_step(${axis}, ${i}) - (middle - lower) * inverse_step(${axis}, ${i} - 1))`;
}

/** Declares `lower`, `middle` and `upper`: q and its neighbours along an axis; along z from the registers. */
function threePoints(fetch: string, axis: number): string {
  const isShifted = `p.${letters[axis]} != q.${letters[axis]}`;
  if (axis < 2) {
    return `    var middle = here;
    if (${isShifted}) { middle = ${near(fetch, axis, "")}; }
    let lower = ${near(fetch, axis, " - 1")};
    let upper = ${near(fetch, axis, " + 1")};`;
  }
  return `    var middle = here;
    var lower = below;
    var upper = above;
    if (${isShifted}) {
      middle = ${near(fetch, axis, "")};
      lower = ${near(fetch, axis, " - 1")};
      upper = ${near(fetch, axis, " + 1")};
    }`;
}

/** Three points `radius` apart, and the way between them summed step by step, which keeps its digits. */
function farPoints(fetch: string, axis: number, radius: number): string {
  const i = `q.${letters[axis]}`;
  const way = (from: number) =>
    Array.from({ length: radius }, (_, k) => `1.0 / inverse_step(${axis}, ${i} + ${from + k})`)
      .join(" + ")
      .replaceAll("+ -", "- ");
  return `    let middle = ${near(fetch, axis, "")};
    let lower = ${near(fetch, axis, ` - ${radius}`)};
    let upper = ${near(fetch, axis, ` + ${radius}`)};
    let rise = ${way(0)};
    let fall = ${way(-radius)};`;
}

function laplacianWgsl(type: string, fetch: string, radius: number): string {
  const along = (axis: number) => `  if (dims.${letters[axis]} > ${2 * radius}) {
${radius === 1 ? threePoints(fetch, axis) : farPoints(fetch, axis, radius)}
    sum += ${radius === 1 ? secondDifference(axis) : "2.0 * ((upper - middle) / rise - (middle - lower) / fall) / (rise + fall)"};
  }`;
  return `  let q = clamp(p, vec3i(${radius}), max(dims - ${radius + 1}, vec3i(${radius})));
  var sum = ${type}();
${[0, 1, 2].map(along).join("\n")}
  return sum;`;
}

const laplacianOverload = (type: ValueType, wgslType: string, radius: number): StencilOverload => ({
  inputs: [type],
  output: type,
  radius: 2 * radius,
  wgsl: (fetch) => laplacianWgsl(wgslType, fetch, radius),
  cpu: laplacianCpu(radius),
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
    laplacianOverload("scalar", "f32", radius),
    laplacianOverload("vec2", "vec2f", radius),
    laplacianOverload("vec3", "vec3f", radius),
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

/** Entries on the diagonal as in the Laplacian; beside it differences of differences, one-sided at the border. */
function hessianCpu(input: Neighborhood, first: number, count: number, out: Float64Array): void {
  const { dims, values, components, stride = components, offset = 0, coordinates } = input;
  const steps = [1, dims[0], dims[0] * dims[1]];
  const [low, high] = [new Int32Array(3), new Int32Array(3)];
  const value = (to: number) => values[to * stride + offset];
  forEachElement(dims, first, count, (at, index, e) => {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = index[axis] > 0 ? 1 : 0;
      high[axis] = index[axis] < dims[axis] - 1 ? 1 : 0;
    }
    for (let a = 0; a < 3; a++) {
      const x = coordinates[a];
      const i = Math.min(Math.max(index[a], 1), dims[a] - 2);
      const center = at + (i - index[a]) * steps[a];
      let second = 0;
      if (dims[a] > 2) {
        const up = (value(center + steps[a]) - value(center)) / (x[i + 1] - x[i]);
        const down = (value(center) - value(center - steps[a])) / (x[i] - x[i - 1]);
        second = (2 * (up - down)) / (x[i + 1] - x[i - 1]);
      }
      out[9 * e + 4 * a] = second;
      for (let b = a + 1; b < 3; b++) {
        let mixed = 0;
        if (dims[a] > 1 && dims[b] > 1) {
          const up = at + high[a] * steps[a];
          const down = at - low[a] * steps[a];
          const [above, below] = [high[b] * steps[b], low[b] * steps[b]];
          const rise = value(up + above) - value(up - below) - (value(down + above) - value(down - below));
          const spanA = x[index[a] + high[a]] - x[index[a] - low[a]];
          const spanB = coordinates[b][index[b] + high[b]] - coordinates[b][index[b] - low[b]];
          mixed = rise / spanA / spanB;
        }
        out[9 * e + 3 * a + b] = out[9 * e + 3 * b + a] = mixed;
      }
    }
  });
}

function hessianWgsl(fetch: string): string {
  const along = (axis: number) => `  if (dims.${letters[axis]} > 2) {
${threePoints(fetch, axis)}
    second.${letters[axis]} = ${secondDifference(axis)};
  }`;
  const mixed = (a: number, b: number) => {
    const corner = (endA: string, endB: string) => {
      const at = [...letters].map((letter, k) => `${k === a ? endA : k === b ? endB : "p"}.${letter}`);
      return `${fetch}(vec3i(${at.join(", ")}))`;
    };
    const across = (end: string) => `(${corner(end, "high")} - ${corner(end, "low")})`;
    const spans = `spans.${letters[a]} * spans.${letters[b]}`;
    const isFlat = `flat_${letters[a]} || flat_${letters[b]}`;
    return `select((${across("high")} - ${across("low")}) * ${spans}, 0.0, ${isFlat})`;
  };
  return `  let q = clamp(p, vec3i(1), max(dims - 2, vec3i(1)));
  let low = max(p - 1, vec3i(0));
  let high = min(p + 1, dims - 1);
  var second = vec3f();
${[0, 1, 2].map(along).join("\n")}
  let xy = ${mixed(0, 1)};
  let xz = ${mixed(0, 2)};
  let yz = ${mixed(1, 2)};
  return mat3x3f(vec3f(second.x, xy, xz), vec3f(xy, second.y, yz), vec3f(xz, yz, second.z));`;
}

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
      wgsl: hessianWgsl,
      cpu: hessianCpu,
    },
  ],
};
