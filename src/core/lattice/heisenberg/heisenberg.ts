/** The classical Heisenberg model by Metropolis' rule in checkerboard order: spins that are unit vectors in three dimensions. */
import { countOf } from "../../hypercube/shape.ts";
import { boltzmannFactor, boltzmannText } from "../boltzmann.ts";
import { reachedText } from "../checkerboard/brush.ts";
import { nearNames, nearText } from "../checkerboard/elements.ts";
import { type Colour, colours, type Halves, halvesOf } from "../checkerboard/halves.ts";
import { neighborMaps } from "../checkerboard/neighbors.ts";
import { siteText } from "../checkerboard/show.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { heisenbergTemperatures, temperatureParameter } from "../temperature.ts";
import { thermal } from "../thermal.ts";
import { directionText, packingText, spinLength } from "./direction.ts";

/** Streams of random numbers. */
const streams = { update: 0, start: 1 } as const;

/** The energy of two spins is −s·t units. */
const unit = spinLength ** -2;

const arraysOf = (colour: Colour) => {
  const other = colours[1 - colours.indexOf(colour)];
  return { xy: `${colour}_xy`, z: `${colour}_z`, other_xy: `${other}_xy`, other_z: `${other}_z` };
};

/** The sum of the neighbours. */
const fieldText = (halves: Halves): string => `${nearText(halves)}
let field = ${nearNames(halves)
  .map((near) => `unpacked(other_xy(${near}), other_z(${near}))`)
  .join(" + ")};`;

const dotText = /* wgsl */ `
fn dot_of(a: vec3i, b: vec3i) -> i32 {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}`;

/** Proposes for each site of a colour a direction, uniform on the sphere, and takes it with the probability min(1, exp(−ΔE / T)). */
const updatePass = (halves: Halves, colour: Colour): Pass => ({
  name: "Heisenberg: sites of a colour",
  step: colours.indexOf(colour),
  arrays: arraysOf(colour),
  reads: { xy: "own", z: "own", other_xy: "all", other_z: "all" },
  writes: ["xy", "z"],
  maps: neighborMaps(halves),
  text: `let random = philox(vec4u(element, constants.sweep, constants.step, ${streams.update}u), constants.seed);
let own = unpacked(xy(), z());
out.xy = xy();
out.z = z();
let proposed = direction(random);
if (proposed.x == 0 && proposed.y == 0 && proposed.z == 0) { return; }
${fieldText(halves)}
let rise = dot_of(own - proposed, field);
if (rise > 0 && random.w >= boltzmann(u32(rise), constants.factor[0])) { return; }
out.xy = packed(proposed);
out.z = proposed.z;
${dotText}
${directionText}
${packingText}
${boltzmannText}
${philoxText}`,
});

/** All along z, or in random directions. */
const startPass = (colour: Colour, isRandom: boolean): Pass => ({
  name: `Heisenberg: ${isRandom ? "random" : "ordered"} start`,
  step: colours.indexOf(colour),
  arrays: arraysOf(colour),
  reads: {},
  writes: ["xy", "z"],
  maps: {},
  text: isRandom
    ? `var spin = vec3i(0, 0, 0);
// That no block has a direction is as good as impossible: one of nine has none.
for (var block = 0u; block < 32u; block++) {
  spin = direction(philox(vec4u(element, block, constants.step, ${streams.start}u), constants.seed));
  if (spin.x != 0 || spin.y != 0 || spin.z != 0) { break; }
}
out.xy = packed(spin);
out.z = spin.z;
${directionText}
${packingText}
${philoxText}`
    : `out.z = ${spinLength};`,
});

/** The black sites have an end of every bond. */
const sumsPass = (halves: Halves): Pass => ({
  name: "Heisenberg: sums",
  arrays: arraysOf("black"),
  reads: { xy: "own", z: "own", other_xy: "all", other_z: "all" },
  writes: ["energy", "sum_x", "sum_y", "sum_z"],
  maps: neighborMaps(halves),
  text: `let own = unpacked(xy(), z());
${fieldText(halves)}
out.energy = -f32(dot_of(own, field)) * ${unit};
let both = own + unpacked(other_xy(element), other_z(element));
out.sum_x = f32(both.x) / ${spinLength}.0;
out.sum_y = f32(both.y) / ${spinLength}.0;
out.sum_z = f32(both.z) / ${spinLength}.0;
${dotText}
${packingText}`,
});

/** Sets spins along z, up or down. */
const brushPass = (halves: Halves, colour: Colour): Pass => ({
  name: "Heisenberg: brush",
  arrays: { xy: `${colour}_xy`, z: `${colour}_z` },
  reads: { xy: "own", z: "own" },
  writes: ["xy", "z"],
  maps: {},
  text: `${reachedText(halves, colour)}
let is_inside = reached != 0u;
out.xy = select(xy(), 0u, is_inside);
out.z = select(z(), select(-${spinLength}, ${spinLength}, constants.value > 0.0), is_inside);`,
});

function planOf(lengths: readonly number[]): LatticePlan {
  const halves = halvesOf(lengths, 32);
  const sites = countOf(lengths);
  return {
    lengths,
    arrays: { black_xy: "u32", black_z: "i32", white_xy: "u32", white_z: "i32" },
    length: sites / 2,
    starts: {
      ordered: colours.map((colour) => startPass(colour, false)),
      random: colours.map((colour) => startPass(colour, true)),
    },
    sweep: colours.map((colour) => updatePass(halves, colour)),
    sums: sumsPass(halves),
    sumType: "f32",
    constants: { factor: { type: "u32", length: 1 } },
    constantsOf: ({ temperature }) => ({ factor: [boltzmannFactor(unit, temperature)] }),
    quantitiesOf: ({ energy, sum_x: x, sum_y: y, sum_z: z }) => ({
      energy: energy / sites,
      magnetization: Math.hypot(x, y, z) / sites,
      magnetizationX: x / sites,
      magnetizationY: y / sites,
      magnetizationZ: z / sites,
    }),
    quantityLabels: {
      magnetizationX: "Magnetization along x",
      magnetizationY: "Magnetization along y",
      magnetizationZ: "Magnetization along z",
    },
    fields: {
      spin: { label: "Spin", meaning: "a unit vector", components: 3, dtype: "float32" },
      up: {
        label: "Spin along z",
        meaning: "the last component of the spin",
        components: 1,
        dtype: "float32",
        range: [-1, 1],
      },
    },
    domains: { expression: "up", walls: [0] },
    show: {
      name: "Heisenberg: spins",
      reads: { black_xy: "all", black_z: "all", white_xy: "all", white_z: "all" },
      maps: {},
      text: `${siteText(halves)}
let is_white = colour == 1u;
let spin = unpacked(
  select(black_xy(word), white_xy(word), is_white),
  select(black_z(word), white_z(word), is_white),
);
out.spin_x = f32(spin.x) / ${spinLength}.0;
out.spin_y = f32(spin.y) / ${spinLength}.0;
out.spin_z = f32(spin.z) / ${spinLength}.0;
out.up = f32(spin.z) / ${spinLength}.0;
${packingText}`,
    },
    brush: {
      min: -1,
      max: 1,
      isWhole: true,
      note: "It sets spins along z, up or down.",
      passes: colours.map((colour) => brushPass(halves, colour)),
    },
  };
}

export const heisenberg: LatticeModel = {
  name: "heisenberg",
  title: "Heisenberg model",
  summary:
    "Unit vectors in three dimensions whose energy is −Σ sᵢ·sⱼ over neighbours, by Metropolis' rule in checkerboard order.",
  parameters: { temperature: temperatureParameter(heisenbergTemperatures) },
  start: "ordered",
  on: planOf,
  ...thermal,
};
