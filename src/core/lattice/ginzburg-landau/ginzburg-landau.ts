/**
 * The time-dependent Ginzburg–Landau equation of a complex order parameter, ∂ψ/∂t = ψ − (1 + ic) |ψ|² ψ + (1 + ib) ∇²ψ, by explicit
 * steps in time: relaxation for b = c = 0, else the complex Ginzburg–Landau equation (Aranson and Kramer, Rev. Mod. Phys. 74, 99, 2002).
 */
import { countOf } from "../../hypercube/shape.ts";
import { siteBrush } from "../brush.ts";
import type { LatticeModel, LatticePlan, Numbers, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { checkStep, laplacianText, siteMaps, siteText, startNoise, stepParameter } from "../stencil.ts";
import { windingText } from "./winding.ts";

/** Members of the constants, in their order. */
const members = ["dispersion", "shift", "noise", "step"] as const;

const membersText = members.map((name, k) => `let ${name} = constants.values[${k}];`).join("\n");

function stepPass(lengths: readonly number[], from: string, to: string): Pass {
  const axes = lengths.length;
  return {
    name: "Ginzburg–Landau: step",
    arrays: { re: `re_${from}`, im: `im_${from}`, next_re: `re_${to}`, next_im: `im_${to}` },
    reads: { re: "all", im: "all" },
    writes: ["next_re", "next_im"],
    maps: siteMaps(lengths),
    text: `${siteText(axes)}
${membersText}
let own_re = re(element);
let own_im = im(element);
let density = own_re * own_re + own_im * own_im;
let spread_re = ${laplacianText("re", "own_re", axes)};
let spread_im = ${laplacianText("im", "own_im", axes)};
out.next_re = own_re + step * (own_re - density * (own_re - shift * own_im) + spread_re - dispersion * spread_im);
out.next_im = own_im + step * (own_im - density * (own_im + shift * own_re) + spread_im + dispersion * spread_re);`,
  };
}

const startPass: Pass = {
  name: "Ginzburg–Landau: start",
  reads: {},
  writes: ["re_even", "im_even"],
  maps: {},
  text: `${membersText}
out.re_even = noise * (2.0 * ${startNoise(0)} - 1.0);
out.im_even = noise * (2.0 * ${startNoise(1)} - 1.0);
${philoxText}`,
};

/** |ψ|², F = Σ (1 − |ψ|²)² / 2 + |∇ψ|², and the plaquettes around which the phase turns. */
function sumsPass(lengths: readonly number[]): Pass {
  const axes = lengths.length;
  const slopes = lengths.flatMap((_, axis) =>
    ["re", "im"].map((part) => `let ${part}_${axis} = ${part}(above_${axis}) - own_${part};`),
  );
  return {
    name: "Ginzburg–Landau: sums",
    arrays: { re: "re_even", im: "im_even" },
    reads: { re: "all", im: "all" },
    writes: ["density", "energy", "vortices"],
    maps: siteMaps(lengths),
    text: `${siteText(axes)}
let own_re = re(element);
let own_im = im(element);
let density = own_re * own_re + own_im * own_im;
${slopes.join("\n")}
let gradient = ${lengths.map((_, axis) => `re_${axis} * re_${axis} + im_${axis} * im_${axis}`).join(" + ")};
out.density = density;
out.energy = 0.5 * (1.0 - density) * (1.0 - density) + gradient;
${windingText(axes)}
out.vortices = f32(vortices);`,
  };
}

/** Of an explicit step, on the mode that changes fastest, (1, −1, 1, …), at |ψ| = 1. */
function valuesOf({ dispersion, shift, noise, step }: Numbers, axes: number): number[] {
  const turn = 1 + Math.max(dispersion ** 2, shift ** 2);
  checkStep(
    step,
    2 / ((4 * axes + 2) * turn),
    `with dispersion ${dispersion} and shift ${shift} along ${axes} axes`,
  );
  return [dispersion, shift, noise, step];
}

function planOf(lengths: readonly number[]): LatticePlan {
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: { re_even: "f32", im_even: "f32", re_odd: "f32", im_odd: "f32" },
    length: sites,
    starts: { random: [startPass] },
    sweep: [stepPass(lengths, "even", "odd"), stepPass(lengths, "odd", "even")],
    sums: sumsPass(lengths),
    sumType: "f32",
    constants: { values: { type: "f32", length: members.length } },
    constantsOf: (parameters) => ({ values: valuesOf(parameters, lengths.length) }),
    quantitiesOf: ({ density, energy, vortices }) => ({
      density: density / sites,
      energy: energy / sites,
      vortices: vortices / sites,
    }),
    fields: {
      density: { label: "Density |ψ|²", meaning: "|ψ|²", components: 1, dtype: "float32", range: [0, 1] },
      phase: {
        label: "Phase",
        meaning: "the phase of ψ, from −π to π",
        components: 1,
        dtype: "float32",
        range: [-Math.PI, Math.PI],
      },
      psi: {
        label: "Order parameter ψ",
        meaning: "the real and the imaginary part of ψ",
        components: 2,
        dtype: "float32",
      },
    },
    show: {
      name: "Ginzburg–Landau: fields",
      reads: { re_even: "own", im_even: "own" },
      maps: {},
      text: `out.density = re_even() * re_even() + im_even() * im_even();
out.phase = atan2(im_even(), re_even());
out.psi_x = re_even();
out.psi_y = im_even();`,
    },
    // Real values: 0 tears a hole, 1 and −1 are opposite phases.
    brush: {
      min: -1,
      max: 1,
      isWhole: false,
      passes: [siteBrush("Ginzburg–Landau: brush", lengths, { re_even: "constants.value", im_even: "0.0" })],
    },
  };
}

export const ginzburgLandau: LatticeModel = {
  name: "ginzburg-landau",
  title: "Complex order parameter (Ginzburg–Landau)",
  summary:
    "A complex order parameter that relaxes, with vortices, or, with dispersion, moves in waves and spirals; a sweep is two steps in time.",
  parameters: {
    dispersion: {
      label: "Dispersion b",
      meaning: "b, the imaginary part of the diffusion",
      default: 0,
      min: -10,
      max: 10,
    },
    shift: {
      label: "Frequency shift c",
      meaning: "c, how the frequency depends on the amplitude",
      default: 0,
      min: -10,
      max: 10,
    },
    noise: {
      label: "Noise at the start",
      meaning: "both parts of ψ begin within so much of 0",
      default: 0.1,
      min: 1e-6,
      max: 1,
    },
    step: stepParameter(0.05, 1, [...new Array<number>(9).fill(0.05), 0.045]),
  },
  start: "random",
  on: planOf,
  observables: {
    density: ({ density }) => density,
    energy: ({ energy }) => energy,
    vortices: ({ vortices }) => vortices,
  },
  measures: {
    density: { label: "Mean density", meaning: "the mean of |ψ|²", of: ({ density }) => density },
    energy: {
      label: "Free energy",
      meaning: "free energy a site, (1 − |ψ|²)² / 2 + |∇ψ|², which never rises for b = c = 0",
      unit: "per site",
      of: ({ energy }) => energy,
    },
    vortices: {
      label: "Vortices",
      meaning: "plaquettes around which the phase turns once, a site",
      unit: "per site",
      of: ({ vortices }) => vortices,
    },
  },
};
