/** Kernels of a lattice whose clusters are drawn anew. */
import type { LatticePlan } from "../../core/lattice/model.ts";
import { philoxText } from "../../core/lattice/philox.ts";
import { besideText, randomText, streams, sumsText } from "../../core/lattice/swendsen-wang/text.ts";
import { all, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { add } from "../../core/primitives/operators.ts";
import { defineReduction, type Terms } from "../../core/primitives/reduction.ts";

const word = { type: "u32" } as const;
const seed = { type: "u32", components: 2 } as const;

/** The kernels of a plan with so many states. */
export function clusterKernels({ lengths, sums }: LatticePlan, states: number) {
  const terms: Terms = Object.fromEntries(
    sums.writes.map((name) => [name, { type: "u32", operator: add } as const]),
  );
  const bound = lengths.map(
    (
      _,
      axis,
    ) => `${axis % 4 === 0 ? `random = philox(vec4u(element, constants.sweep, ${axis / 4}u, ${streams.bonds}u), constants.seed);` : ""}
if (states(above_${axis}(element)) == mine && random[${axis % 4}] < constants.threshold) { bonds |= ${1 << axis}u; }`,
  );
  return {
    random: defineKernel({
      name: "clusters: random states",
      inputs: {},
      outputs: { states: word },
      constants: { seed },
      ...randomText(states),
    }),
    /** Bit i is set where the bond to the site above along axis i joins equal states, with its probability. */
    bonds: defineKernel({
      name: "clusters: bonds",
      inputs: { states: { ...word, access: all } },
      outputs: { bonds: word },
      constants: { seed, sweep: word, threshold: word },
      text: `let mine = states(element);
var bonds = 0u;
var random = vec4u(0u, 0u, 0u, 0u);
${bound.join("\n")}
out.bonds = bonds;`,
      functions: `${besideText(lengths)}\n${philoxText}`,
    }),
    /** A state for each cluster, from its label. */
    states: defineKernel({
      name: "clusters: states",
      inputs: { labels: { ...word, access: own } },
      outputs: { states: word },
      constants: { seed, sweep: word },
      text: `let random = philox(vec4u(labels(), constants.sweep, 0u, ${streams.clusters}u), constants.seed);
out.states = upper_product(random.x, ${states}u);`,
      functions: philoxText,
    }),
    sums: defineReduction({
      name: "clusters: sums",
      inputs: { states: { ...word, access: all } },
      terms,
      constants: {},
      ...sumsText(lengths, states),
    }),
  };
}
