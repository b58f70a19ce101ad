/** Phase separation of a mixture by Cahn and Hilliard's equation (J. Chem. Phys. 28, 258, 1958), by explicit steps in time. */
import { countOf } from "../../hypercube/shape.ts";
import { siteBrush } from "../brush.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { checkStep, laplacianText, siteMaps, siteText, startNoise, stepParameter } from "../stencil.ts";

/** Members of the constants, in their order. */
const members = ["mean", "noise", "stiffness", "step"] as const;

const membersText = members.map((name, k) => `let ${name} = constants.values[${k}];`).join("\n");

/** The chemical potential, μ = φ³ − φ − κ ∇²φ. */
const potentialPass = (lengths: readonly number[]): Pass => ({
  name: "Cahn–Hilliard: potential",
  reads: { phi: "all" },
  writes: ["mu"],
  maps: siteMaps(lengths),
  text: `${siteText(lengths.length)}
${membersText}
let own = phi(element);
out.mu = own * own * own - own - stiffness * ${laplacianText("phi", "own", lengths.length)};`,
});

/** A step of ∂φ/∂t = ∇²μ. What an element gains its neighbours lose, so that the sum of φ stays, to rounding. */
const stepPass = (lengths: readonly number[]): Pass => ({
  name: "Cahn–Hilliard: step",
  reads: { phi: "own", mu: "all" },
  writes: ["phi"],
  maps: siteMaps(lengths),
  text: `${siteText(lengths.length)}
${membersText}
let own = mu(element);
out.phi = phi() + step * ${laplacianText("mu", "own", lengths.length)};`,
});

const startPass: Pass = {
  name: "Cahn–Hilliard: start",
  reads: {},
  writes: ["phi"],
  maps: {},
  text: `${membersText}
out.phi = mean + noise * (2.0 * ${startNoise(0)} - 1.0);
${philoxText}`,
};

/** φ, and F = Σ (φ² − 1)² / 4 + κ/2 |∇φ|² with the differences to the next site along each axis as ∇. */
const sumsPass = (lengths: readonly number[]): Pass => ({
  name: "Cahn–Hilliard: sums",
  reads: { phi: "all" },
  writes: ["mass", "energy"],
  maps: siteMaps(lengths),
  text: `${siteText(lengths.length)}
${membersText}
let own = phi(element);
let excess = own * own - 1.0;
${lengths.map((_, axis) => `let rise_${axis} = phi(above_${axis}) - own;`).join("\n")}
out.mass = own;
out.energy = 0.25 * excess * excess + 0.5 * stiffness * (${lengths
    .map((_, axis) => `rise_${axis} * rise_${axis}`)
    .join(" + ")});`,
});

/** Of an explicit step, on the mode that changes fastest, (1, −1, 1, …), about φ = ±1. */
function valuesOf({ mean, noise, stiffness, step }: Numbers, axes: number): number[] {
  const steepest = 4 * axes;
  checkStep(
    step,
    2 / (steepest * (2 + stiffness * steepest)),
    `with stiffness ${stiffness} along ${axes} axes`,
  );
  return [mean, noise, stiffness, step];
}

function planOf(lengths: readonly number[]): LatticePlan {
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: { phi: "f32", mu: "f32" },
    length: sites,
    starts: { random: [startPass] },
    sweep: [potentialPass(lengths), stepPass(lengths)],
    sums: sumsPass(lengths),
    sumType: "f32",
    constants: { values: { type: "f32", length: members.length } },
    constantsOf: (parameters) => ({ values: valuesOf(parameters, lengths.length) }),
    quantitiesOf: ({ mass, energy }) => ({ mass: mass / sites, energy: energy / sites }),
    fields: {
      phi: {
        label: "Difference of concentrations φ",
        meaning: "the difference of the two substances' concentrations",
        components: 1,
        dtype: "float32",
        range: [-1, 1],
      },
    },
    domains: { expression: "phi", walls: [0] },
    show: {
      name: "Cahn–Hilliard: field",
      arrays: { values: "phi" },
      reads: { values: "own" },
      maps: {},
      text: "out.phi = values();",
    },
    brush: {
      min: -1,
      max: 1,
      isWhole: false,
      passes: [siteBrush("Cahn–Hilliard: brush", lengths, { phi: "constants.value" })],
    },
  };
}

export const cahnHilliard: LatticeModel = {
  name: "cahn-hilliard",
  title: "Phase separation (Cahn–Hilliard)",
  summary: "A mixture of two substances that separate into domains, which grow; a sweep is a step in time.",
  parameters: {
    mean: {
      label: "Mean of φ",
      meaning: "the mean of φ, which stays: 0 for equal parts of both substances",
      default: 0,
      min: -1,
      max: 1,
    },
    noise: {
      label: "Noise at the start",
      meaning: "φ begins within so much of its mean",
      default: 0.1,
      min: 0,
      max: 1,
    },
    stiffness: {
      label: "Stiffness κ",
      meaning: "κ, the cost of interfaces, whose width is about √(2κ) sites",
      default: 0.5,
      min: 0.01,
      max: 100,
    },
    step: stepParameter(0.02, 1, [0.02, 0.02, 0.02, 0.012, 0.008, 0.0059, 0.0044, 0.0034, 0.0027, 0.0022]),
  },
  start: "random",
  on: planOf,
  observables: { mass: ({ mass }) => mass, energy: ({ energy }) => energy },
  measures: {
    mass: { label: "Mean of φ", meaning: "the mean of φ", of: ({ mass }) => mass },
    energy: {
      label: "Free energy",
      meaning: "free energy a site, (φ² − 1)² / 4 + κ |∇φ|² / 2",
      unit: "per site",
      of: ({ energy }) => energy,
    },
  },
};
