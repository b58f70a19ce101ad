/** Gray and Scott's reaction and diffusion of two substances, by explicit steps in time. */
import { countOf } from "../../hypercube/shape.ts";
import { siteBrush } from "../brush.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import {
  checkStep,
  laplacianText,
  middleText,
  siteMaps,
  siteText,
  startNoise,
  stepParameter,
} from "../stencil.ts";

/** Members of the constants, in their order. */
const members = ["feed", "kill", "diffusion_u", "diffusion_v", "step"] as const;

/**
 * One step, from arrays u and v to two others: ∂u/∂t = D_u ∇²u − u v² + F (1 − u), ∂v/∂t = D_v ∇²v + u v² − (F + k) v, with the
 * difference to the 2d neighbours as ∇².
 */
function stepPass(lengths: readonly number[], from: string, to: string): Pass {
  const axes = lengths.length;
  return {
    name: "Gray–Scott: step",
    arrays: { u: `u_${from}`, v: `v_${from}`, next_u: `u_${to}`, next_v: `v_${to}` },
    reads: { u: "all", v: "all" },
    writes: ["next_u", "next_v"],
    maps: siteMaps(lengths),
    text: `${siteText(axes)}
let own_u = u(element);
let own_v = v(element);
${members.map((name, k) => `let ${name} = constants.rates[${k}];`).join("\n")}
let reaction = own_u * own_v * own_v;
out.next_u = own_u + step * (diffusion_u * ${laplacianText("u", "own_u", axes)} - reaction + feed * (1.0 - own_u));
out.next_v = own_v + step * (diffusion_v * ${laplacianText("v", "own_v", axes)} + reaction - (feed + kill) * own_v);`,
  };
}

/** u = 1 and v = 0, but for u = 1/2 and v = 1/4 in the middle quarter along each axis; or 1 % of noise there and elsewhere. */
function startPass(lengths: readonly number[], isRandom: boolean): Pass {
  return {
    name: "Gray–Scott: start",
    reads: {},
    writes: ["u_even", "v_even"],
    maps: {},
    text: `let is_inside = ${middleText(lengths, "element")};
let noise = ${isRandom ? `0.01 * ${startNoise(1)}` : "0.0"};
out.u_even = select(1.0, 0.5, is_inside) - noise;
out.v_even = select(0.0, 0.25, is_inside) + noise;
${isRandom ? philoxText : ""}`,
  };
}

/** Sets v, and u to 1 − 2v, as at the start. */
const brushPass = (lengths: readonly number[]): Pass =>
  siteBrush("Gray–Scott: brush", lengths, {
    u_even: "1.0 - 2.0 * constants.value",
    v_even: "constants.value",
  });

function ratesOf({ feed, kill, diffusionU, diffusionV, step }: Numbers, axes: number): number[] {
  const diffusion = Math.max(diffusionU, diffusionV);
  checkStep(step, 1 / (2 * axes * diffusion), `with diffusion ${diffusion} along ${axes} axes`);
  return [feed, kill, diffusionU, diffusionV, step];
}

function planOf(lengths: readonly number[]): LatticePlan {
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: { u_even: "f32", v_even: "f32", u_odd: "f32", v_odd: "f32" },
    length: sites,
    starts: { spot: [startPass(lengths, false)], random: [startPass(lengths, true)] },
    sweep: [stepPass(lengths, "even", "odd"), stepPass(lengths, "odd", "even")],
    sums: {
      name: "Gray–Scott: sums",
      reads: { u_even: "own", v_even: "own" },
      writes: ["u", "v"],
      maps: {},
      text: "out.u = u_even(); out.v = v_even();",
    },
    sumType: "f32",
    constants: { rates: { type: "f32", length: members.length } },
    constantsOf: (parameters) => ({ rates: ratesOf(parameters, lengths.length) }),
    quantitiesOf: ({ u, v }) => ({ u: u / sites, v: v / sites }),
    fields: {
      v: {
        label: "Concentration of V",
        meaning: "how much there is of V",
        components: 1,
        dtype: "float32",
        range: [0, 0.4],
      },
      u: {
        label: "Concentration of U",
        meaning: "how much there is of U",
        components: 1,
        dtype: "float32",
        range: [0, 1],
      },
    },
    show: {
      name: "Gray–Scott: fields",
      reads: { u_even: "own", v_even: "own" },
      maps: {},
      text: "out.u = u_even(); out.v = v_even();",
    },
    brush: { min: 0, max: 0.5, isWhole: false, passes: [brushPass(lengths)] },
  };
}

/** Of U, twice that of V. On many axes a spot of a quarter of each has little volume for its surface, and lasts where V spreads more slowly. */
const usualDiffusions = [0.16, 0.16, 0.16, 0.08, 0.04, 0.02, 0.02, 0.02, 0.02, 0.02];

export const grayScott: LatticeModel = {
  name: "gray-scott",
  title: "Reaction and diffusion (Gray–Scott)",
  summary:
    "Two substances that diffuse and react (U + 2V → 3V, V → P), fed with U; a sweep is two steps in time.",
  parameters: {
    feed: {
      label: "Feed rate F",
      meaning: "the rate F at which U is fed, and both are washed out",
      default: 0.037,
      min: 0,
      max: 1,
    },
    kill: { label: "Kill rate k", meaning: "the rate k at which V decays", default: 0.06, min: 0, max: 1 },
    diffusionU: {
      label: "Diffusion of U",
      meaning: "how fast U spreads, in sites² per unit of time",
      unit: "sites² / time",
      default: 0.16,
      defaultByAxes: usualDiffusions,
      min: 0,
      max: 10,
    },
    diffusionV: {
      label: "Diffusion of V",
      meaning: "how fast V spreads, in sites² per unit of time",
      unit: "sites² / time",
      default: 0.08,
      defaultByAxes: usualDiffusions.map((diffusion) => diffusion / 2),
      min: 0,
      max: 10,
    },
    step: stepParameter(1, 10, [1, 1, 1, 0.75, 0.6, 0.5, 0.4, 0.35, 0.33, 0.3]),
  },
  start: "spot",
  on: planOf,
  observables: { u: ({ u }) => u, v: ({ v }) => v },
  measures: {
    u: { label: "Mean of U", meaning: "the mean of u", of: ({ u }) => u },
    v: { label: "Mean of V", meaning: "the mean of v", of: ({ v }) => v },
  },
};
