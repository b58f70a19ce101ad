import { ofGradient } from "./derivatives.ts";
import { elementOverload } from "./elementwise.ts";
import type { CompositeFilter, ElementFilter, Filter } from "./filter.ts";
import { lambda2Cpu, lambda2Fragment } from "./lambda2.ts";
import { swirlCpu, swirlFragment } from "./swirl.ts";

const group = "Vortices";

const qOfGradient: ElementFilter = {
  kind: "element",
  name: "q_of_gradient",
  internal: true,
  doc: {
    signature: "q_of_gradient(m)",
    summary: "Second invariant of the velocity gradient m, without its divergence part.",
    formula: "-(m : transpose(m)) / 2",
    example: "q_of_gradient(gradient(velocity))",
    group,
  },
  overloads: [
    {
      inputs: ["mat3"],
      output: "scalar",
      wgsl: ([m]) =>
        `-0.5 * (${m}[0].x * ${m}[0].x + ${m}[1].y * ${m}[1].y + ${m}[2].z * ${m}[2].z)` +
        ` - (${m}[0].y * ${m}[1].x + ${m}[0].z * ${m}[2].x + ${m}[1].z * ${m}[2].y)`,
      cpu([m], out, count) {
        for (let e = 0, i = 0; e < count; e++, i += 9) {
          out[e] =
            -0.5 * (m[i] * m[i] + m[i + 4] * m[i + 4] + m[i + 8] * m[i + 8]) -
            (m[i + 1] * m[i + 3] + m[i + 2] * m[i + 6] + m[i + 5] * m[i + 7]);
        }
      },
    },
  ],
};

const lambda2OfGradient: ElementFilter = {
  kind: "element",
  name: "lambda2_of_gradient",
  internal: true,
  doc: {
    signature: "lambda2_of_gradient(m)",
    summary: "Middle eigenvalue of S² + Ω² for the velocity gradient m.",
    example: "lambda2_of_gradient(gradient(velocity))",
    group,
  },
  overloads: [elementOverload(["mat3"], "scalar", (m) => `lambda2(${m})`, lambda2Cpu, [lambda2Fragment])],
};

const swirlOfGradient: ElementFilter = {
  kind: "element",
  name: "swirl_of_gradient",
  internal: true,
  doc: {
    signature: "swirl_of_gradient(m)",
    summary: "Imaginary part of the complex eigenvalues of the velocity gradient m, 0 where all are real.",
    example: "swirl_of_gradient(gradient(velocity))",
    group,
  },
  overloads: [elementOverload(["mat3"], "scalar", (m) => `swirl_of(${m})`, swirlCpu, [swirlFragment])],
};

const vortexCriterion = (
  name: string,
  part: string,
  doc: Omit<CompositeFilter["doc"], "group">,
  aliases?: readonly string[],
): CompositeFilter => ({
  kind: "composite",
  name,
  aliases,
  doc: { ...doc, group },
  overloads: (["vec3", "vec2"] as const).map((type) =>
    ofGradient(type, "scalar", (network, inputs) => network.apply(part, inputs)),
  ),
});

/**
 * Hunt, Wray & Moin 1988 (seed 001, § IV.A); Jeong & Hussain, J. Fluid Mech. 285, 1995; Zhou, Adrian, Balachandar &
 * Kendall, J. Fluid Mech. 387, 1999.
 */
export const vortices: readonly Filter[] = [
  vortexCriterion("q_criterion", "q_of_gradient", {
    signature: "q_criterion(v)",
    summary:
      "Positive where rotation exceeds strain, as in vortices. S and Ω are the symmetric and antisymmetric parts of gradient(v).",
    formula: "(‖Ω‖² - ‖S‖²) / 2",
    example: "q_criterion(velocity)",
  }),
  vortexCriterion("lambda2", "lambda2_of_gradient", {
    signature: "lambda2(v)",
    summary: "Middle eigenvalue of S² + Ω²: negative in the core of a vortex.",
    formula: "λ₂(S² + Ω²)",
    example: "lambda2(velocity)",
  }),
  vortexCriterion(
    "swirling_strength",
    "swirl_of_gradient",
    {
      signature: "swirling_strength(v)",
      summary:
        "Angular velocity with which the flow spirals around a point: the imaginary part of the complex eigenvalues of gradient(v), or 0 where all are real.",
      formula: "λ_ci = |Im λ(gradient(v))|",
      example: "swirling_strength(velocity)",
    },
    ["swirl", "lambda_ci"],
  ),
  qOfGradient,
  lambda2OfGradient,
  swirlOfGradient,
];
