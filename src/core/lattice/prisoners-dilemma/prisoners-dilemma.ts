/** The spatial prisoner's dilemma (Nowak and May, Nature 359, 826, 1992): whoever plays best is imitated, by all at once. */
import { checkLengths, countOf, stridesOf } from "../../hypercube/shape.ts";
import { besideMaps } from "../axes.ts";
import { siteBrush } from "../brush.ts";
import { thresholdOf } from "../chance.ts";
import type { LatticeModel, LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";

/** What a defector gets of a cooperator, in parts of what a cooperator gets: scores are whole numbers, of up to 3¹⁰ players too. */
const parts = 2 ** 14;

/** Groups of axes, along which one after the other neighbours are taken: a cube is one interval after the other. */
const stagesOf = (lengths: readonly number[], hasDiagonals: boolean): readonly (readonly number[])[] => {
  const axes = [...lengths.keys()];
  return hasDiagonals ? axes.map((axis) => [axis]) : [axes];
};

/** Values of `from` at an element and its neighbours along these axes. */
const nearTexts = (axes: readonly number[]): readonly string[] => [
  "from(element)",
  ...axes.flatMap((axis) => [`from(below_${axis}(element))`, `from(above_${axis}(element))`]),
];

/** Arrays that stage k of `stages` reads and writes. */
const arraysOf = (k: number) => ({
  from: k === 0 ? "strategy" : k % 2 === 1 ? "even" : "odd",
  to: k % 2 === 0 ? "even" : "odd",
});

/**
 * Counts cooperators among a site and its neighbours. The last of the passes has in the upper half of a word a cooperator's count, in the lower one a
 * defector's and 1, so that 0 is nobody.
 */
function countPass(lengths: readonly number[], axes: readonly number[], k: number, isLast: boolean): Pass {
  const readsStrategy = isLast && k > 0;
  const own = k === 0 ? "from(element)" : "strategy()";
  return {
    name: `Prisoner's dilemma: count ${axes.join(" ")}${isLast ? ", the last" : ""}`,
    arrays: arraysOf(k),
    reads: { from: "all", ...(readsStrategy ? { strategy: "own" } : {}) },
    writes: ["to"],
    maps: besideMaps(lengths),
    text: `let count = ${nearTexts(axes).join(" + ")};
out.to = ${isLast ? `select(count + 1u, count << 16u, ${own} == 1u)` : "count"};`,
  };
}

/** The largest counts of both halves; the last of the passes has every site take the strategy of the best score, its own if both are the best. */
function bestPass(lengths: readonly number[], axes: readonly number[], k: number, isLast: boolean): Pass {
  const [first, ...others] = nearTexts(axes);
  return {
    name: `Prisoner's dilemma: best ${axes.join(" ")}${isLast ? ", the last" : ""}`,
    arrays: isLast ? { from: arraysOf(k).from } : arraysOf(k),
    reads: { from: "all", ...(isLast ? { strategy: "own" } : {}) },
    writes: isLast ? ["strategy", "previous"] : ["to"],
    maps: besideMaps(lengths),
    text: `var best = ${first};
${others.map((near) => `best = larger(best, ${near});`).join("\n")}
${
  isLast
    ? `let own = strategy();
let cooperators = (best >> 16u) * ${parts}u;
let defectors = (max(best & 0xffffu, 1u) - 1u) * constants.temptation[0];
out.strategy = select(u32(cooperators > defectors), u32(cooperators >= defectors), own == 1u);
out.previous = own;`
    : "out.to = best;"
}
fn larger(a: u32, b: u32) -> u32 {
  return max(a & 0xffff0000u, b & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
}`,
  };
}

const startPass = (name: string, strategy: string, more = ""): Pass => ({
  name: `Prisoner's dilemma: ${name} start`,
  reads: {},
  writes: ["strategy", "previous"],
  maps: {},
  text: `let strategy = u32(${strategy});
out.strategy = strategy;
out.previous = strategy;${more}`,
});

function planOf(lengths: readonly number[], hasDiagonals: boolean): LatticePlan {
  checkLengths(lengths);
  const sites = countOf(lengths);
  const stages = stagesOf(lengths, hasDiagonals);
  const last = stages.length - 1;
  const strides = stridesOf(lengths);
  const middle = lengths.reduce((sum, length, axis) => sum + Math.floor(length / 2) * strides[axis], 0);
  const uniform = "philox(vec4u(element, 0u, 0u, 1u), constants.seed).x";
  return {
    lengths,
    arrays: { strategy: "u32", previous: "u32", even: "u32", odd: "u32" },
    length: sites,
    starts: {
      random: [startPass("random", `${uniform} < constants.cooperating[0]`, `\n${philoxText}`)],
      spot: [startPass("spot", `element != ${middle}u`)],
    },
    sweep: [
      ...stages.map((axes, k) => countPass(lengths, axes, k, k === last)),
      ...stages.map((axes, k) => bestPass(lengths, axes, stages.length + k, k === last)),
    ],
    sums: {
      name: "Prisoner's dilemma: sums",
      reads: { strategy: "own", previous: "own" },
      writes: ["cooperating", "changed"],
      maps: {},
      text: "out.cooperating = strategy(); out.changed = strategy() ^ previous();",
    },
    sumType: "u32",
    constants: { temptation: { type: "u32", length: 1 }, cooperating: { type: "u32", length: 1 } },
    constantsOf: ({ temptation, cooperators }) => ({
      temptation: [Math.round(parts * temptation)],
      cooperating: [thresholdOf(cooperators)],
    }),
    quantitiesOf: ({ cooperating, changed }) => ({
      cooperators: cooperating / sites,
      changed: changed / sites,
    }),
    fields: {
      strategy: {
        label: "Strategy",
        meaning: "1 cooperates, 0 defects",
        components: 1,
        dtype: "int8",
        range: [0, 1],
      },
      transition: {
        label: "Change of strategy",
        meaning: "0 defects again, 1 began to defect, 2 began to cooperate, 3 cooperates again",
        components: 1,
        dtype: "int8",
        range: [0, 3],
      },
    },
    domains: { expression: "strategy", walls: [0.5] },
    show: {
      name: "Prisoner's dilemma: fields",
      arrays: { now: "strategy", before: "previous" },
      reads: { now: "own", before: "own" },
      maps: {},
      text: "out.strategy = f32(now()); out.transition = f32(2u * now() + before());",
    },
    brush: {
      min: 0,
      max: 1,
      isWhole: true,
      note: "1 cooperates, 0 defects.",
      passes: [
        siteBrush("Prisoner's dilemma: brush", lengths, {
          strategy: "u32(constants.value)",
          previous: "u32(constants.value)",
        }),
      ],
    },
  };
}

/**
 * Where both strategies last from a random start with nine cooperators of ten, which was found by runs on up to ten axes: on four and more among the
 * 2d neighbours beside a site, since cooperators among 3^d − 1 die out at any temptation from 1.1 on.
 */
const usualTemptations = [1.85, 1.85, 1.6, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4];

export const prisonersDilemma: LatticeModel = {
  name: "prisoners-dilemma",
  title: "Spatial prisoner's dilemma",
  summary:
    "Cooperators and defectors play with their neighbours and themselves; then each takes the strategy of the best player that it met.",
  parameters: {
    temptation: {
      label: "Temptation b",
      meaning: "b, what a defector gets of a cooperator; a cooperator gets 1",
      default: 1.85,
      defaultByAxes: usualTemptations,
      min: 1,
      max: 4,
    },
    cooperators: {
      label: "Cooperators at the start",
      meaning: "the part of cooperators at a random start",
      default: 0.9,
      min: 0,
      max: 1,
    },
    diagonals: {
      label: "Diagonal neighbours",
      meaning: "whether diagonal neighbours play, too: 1 (Moore) or 0 (von Neumann)",
      default: 1,
      defaultByAxes: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
      min: 0,
      max: 1,
      isFixed: true,
    },
  },
  start: "random",
  on: (lengths, { diagonals }) => planOf(lengths, diagonals === 1),
  observables: { cooperators: ({ cooperators }) => cooperators, changed: ({ changed }) => changed },
  measures: {
    cooperators: {
      label: "Cooperators",
      meaning: "the part of the players that cooperate",
      of: ({ cooperators }) => cooperators,
    },
    changed: {
      label: "Players who changed",
      meaning: "the part that took another strategy in a sweep",
      of: ({ changed }) => changed,
    },
  },
};
