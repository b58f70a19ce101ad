import { finite } from "../../../gpu/shader/finite.ts";
import type { Fragment } from "../../../gpu/shader/fragment.ts";
import { componentsOf, type ValueType } from "../types.ts";
import { elementOverload, mapOverload } from "./elementwise.ts";
import type { ElementFilter, ElementOverload } from "./filter.ts";
import { sizes } from "./loops.ts";

const group = "Vectors";

/** Scaled by the largest component, so that squares neither overflow nor vanish in f32. */
const lengthOf = (type: "vec2" | "vec3"): Fragment => ({
  name: `length of ${type}`,
  requires: [finite],
  code: /* wgsl */ `
fn length_of_${type}(v: ${type}f) -> f32 {
  let size = abs(v);
  let largest = ${type === "vec2" ? "max(size.x, size.y)" : "max(max(size.x, size.y), size.z)"};
  let isPlain = largest > 1e-15 && largest < 1e15;
  let scale = select(largest, 1.0, isPlain || largest == 0.0 || !is_finite(largest));
  let scaled = v / scale;
  return sqrt(dot(scaled, scaled)) * scale;
}
`,
});

const lengths = { vec2: lengthOf("vec2"), vec3: lengthOf("vec3") };

function euclidean(values: Float64Array, at: number, width: number): number {
  let squares = 0;
  for (let c = 0; c < width; c++) squares += values[at + c] * values[at + c];
  return Math.sqrt(squares);
}

const magnitudeOf = (
  type: ValueType,
  wgsl: (v: string) => string,
  fragments: readonly Fragment[],
): ElementOverload => {
  const width = componentsOf(type);
  return {
    inputs: [type],
    output: "scalar",
    wgsl: ([v]) => wgsl(v),
    fragments,
    cpu([v], out, count) {
      if (width !== 3) for (let e = 0; e < count; e++) out[e] = euclidean(v, e * width, width);
      else {
        for (let e = 0, i = 0; e < count; e++, i += 3) {
          out[e] = Math.sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]);
        }
      }
    },
  };
};

const magnitude: ElementFilter = {
  kind: "element",
  name: "magnitude",
  aliases: ["norm", "mag"],
  doc: {
    signature: "magnitude(v)",
    summary:
      "Length of a vector, Frobenius norm of a tensor, absolute value of a scalar; norm is the same (for a unit vector use normalize).",
    formula: "sqrt(v[0]^2 + v[1]^2 + v[2]^2)",
    example: "magnitude(velocity)",
    group,
  },
  overloads: [
    mapOverload("scalar", (x) => `abs(${x})`, sizes),
    magnitudeOf("vec2", (v) => `length_of_vec2(${v})`, [lengths.vec2]),
    magnitudeOf("vec3", (v) => `length_of_vec3(${v})`, [lengths.vec3]),
    magnitudeOf(
      "mat3",
      (m) =>
        `length_of_vec3(vec3f(length_of_vec3(${m}[0]), length_of_vec3(${m}[1]), length_of_vec3(${m}[2])))`,
      [lengths.vec3],
    ),
  ],
};

const unitOf = (type: "vec2" | "vec3"): Fragment => ({
  name: `unit ${type}`,
  requires: [lengths[type]],
  code: /* wgsl */ `
fn unit_of_${type}(v: ${type}f) -> ${type}f {
  let size = length_of_${type}(v);
  return v / select(size, 1.0, size == 0.0);
}
`,
});

const normalize: ElementFilter = {
  kind: "element",
  name: "normalize",
  doc: {
    signature: "normalize(v)",
    summary: "The vector of length 1 in the same direction; a zero vector stays zero.",
    formula: "v / magnitude(v)",
    example: "normalize(gradient(p))",
    group,
  },
  overloads: (["vec2", "vec3"] as const).map((type) => {
    const width = componentsOf(type);
    return elementOverload(
      [type],
      type,
      (v) => `unit_of_${type}(${v})`,
      ([v], [i], out, to) => {
        const size = euclidean(v, i, width);
        for (let c = 0; c < width; c++) out[to + c] = size === 0 ? 0 : v[i + c] / size;
      },
      [unitOf(type)],
    );
  }),
};

const dot: ElementFilter = {
  kind: "element",
  name: "dot",
  commutative: true,
  doc: {
    signature: "dot(a, b)",
    summary: "Scalar product of two vectors.",
    formula: "a[0]*b[0] + a[1]*b[1] + a[2]*b[2]",
    example: "dot(velocity, curl(velocity))",
    group,
  },
  overloads: (["vec2", "vec3"] as const satisfies ValueType[]).map((type) => {
    const width = componentsOf(type);
    return {
      inputs: [type, type],
      output: "scalar",
      wgsl: ([a, b]) => `dot(${a}, ${b})`,
      cpu([a, b], out, count) {
        if (width === 2) {
          for (let e = 0, i = 0; e < count; e++, i += 2) out[e] = a[i] * b[i] + a[i + 1] * b[i + 1];
        } else {
          for (let e = 0, i = 0; e < count; e++, i += 3) {
            out[e] = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2];
          }
        }
      },
    };
  }),
};

const cross: ElementFilter = {
  kind: "element",
  name: "cross",
  doc: {
    signature: "cross(a, b)",
    summary:
      "Vector product: perpendicular to both vectors, right-handed; for vectors of two components, the scalar a[0]*b[1] - a[1]*b[0].",
    formula: "{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}",
    example: "cross(velocity, curl(velocity))",
    group,
  },
  overloads: [
    elementOverload(
      ["vec3", "vec3"],
      "vec3",
      (a, b) => `cross(${a}, ${b})`,
      ([a, b], [i, j], out, to) => {
        out[to] = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
        out[to + 1] = a[i + 2] * b[j] - a[i] * b[j + 2];
        out[to + 2] = a[i] * b[j + 1] - a[i + 1] * b[j];
      },
    ),
    elementOverload(
      ["vec2", "vec2"],
      "scalar",
      (a, b) => `${a}.x * ${b}.y - ${a}.y * ${b}.x`,
      ([a, b], [i, j], out, to) => {
        out[to] = a[i] * b[j + 1] - a[i + 1] * b[j];
      },
    ),
  ],
};

export const vectors: readonly ElementFilter[] = [dot, cross, magnitude, normalize];
