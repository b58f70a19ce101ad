import { ofGradient } from "./derivatives.ts";
import { overload, shaderFunction } from "./elementwise.ts";
import type { CompositeFilter, ElementFilter, Filter } from "./filter.ts";
import { lambda2Text, scaledLambda2 } from "./lambda2.ts";
import { scaledSwirl, swirlLoop, swirlText } from "./swirl.ts";

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
    overload(
      ["mat3"],
      "scalar",
      "-0.5 * (a[0].x * a[0].x + a[1].y * a[1].y + a[2].z * a[2].z)" +
        " - (a[0].y * a[1].x + a[0].z * a[2].x + a[1].z * a[2].y)",
    ),
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
  overloads: [
    overload(["mat3"], "scalar", "lambda2(a)", {
      functions: lambda2Text,
      shader: shaderFunction("lambda2", scaledLambda2),
    }),
  ],
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
  overloads: [
    overload(["mat3"], "scalar", "swirl_of(a)", {
      functions: swirlText,
      shader: shaderFunction("swirl_of", scaledSwirl),
      // The loop made of the text takes 1.4 times as long.
      loop: swirlLoop,
    }),
  ],
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
