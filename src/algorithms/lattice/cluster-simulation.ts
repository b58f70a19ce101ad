/** Sweeps by clusters (Swendsen and Wang), over primitives: on a CPU, on a GPU and over ranks. */

import { countOf } from "../../core/hypercube/shape.ts";
import { noBrush } from "../../core/lattice/brush.ts";
import type { Clusters, LatticePlan, Numbers } from "../../core/lattice/model.ts";
import { fieldNamed, startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { withVectors } from "../vectors.ts";
import { clusterKernels } from "./cluster-kernels.ts";
import { clusterLabels } from "./labels.ts";

/**
 * The same states on all implementations of the primitives, which outlive the simulation. Over ranks all of them call it alike. Throws UnknownName for a start that
 * there is not.
 */
export async function createClusterSimulation(
  p: Primitives,
  plan: LatticePlan,
  { states: count, bondThreshold }: Clusters,
  { seed, start }: SimulationOptions,
): Promise<Simulation> {
  const sites = countOf(plan.lengths);
  const kernels = clusterKernels(plan, count);
  const labelsOf = clusterLabels(plan.lengths);
  const show = defineKernel({
    name: plan.show.name,
    inputs: { states: { type: "u32", access: own } },
    outputs: Object.fromEntries(Object.keys(plan.fields).map((field) => [field, { type: "f32" } as const])),
    constants: {},
    text: plan.show.text,
  });
  startNamed(plan, start);
  let states =
    start === "random"
      ? (await p.forEach(sites, kernels.random, { inputs: {}, constants: { seed } })).states
      : await p.fill("u32", sites, count - 1);
  let done = 0;
  const sweep = (threshold: number): Promise<Numbers> =>
    withVectors(async (vectors) => {
      done++;
      const constants = { seed, sweep: done };
      await vectors.hold(states);
      const { bonds } = await p.forEach(sites, kernels.bonds, {
        inputs: { states },
        constants: { ...constants, threshold },
      });
      const labels = await vectors.hold(labelsOf(p, await vectors.hold(bonds)));
      ({ states } = await p.forEach(sites, kernels.states, { inputs: { labels }, constants }));
      return p.reduceEach(sites, kernels.sums, { inputs: { states }, constants: {} });
    });
  return {
    async run(sweeps, parameters) {
      const taken: Numbers[] = [];
      for (let k = 0; k < sweeps; k++) taken.push(await sweep(bondThreshold(parameters)));
      return taken;
    },
    async read() {
      return { states: Uint32Array.from(await p.toHost(states)) };
    },
    async field(name) {
      fieldNamed(plan, name);
      const { [name]: shown } = await p.forEach(sites, show, { inputs: { states }, constants: {} });
      const values = await p.toHost(shown);
      shown.release();
      return Int8Array.from(values);
    },
    async brush() {
      throw noBrush();
    },
    dispose() {
      states.release();
    },
  };
}
