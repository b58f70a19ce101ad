/** The Ising model with one site after the other in memory, in two layouts that make the same trajectory (seed 002, §9). */
import { ising } from "../ising/ising.ts";
import type { LatticeModel } from "../model.ts";
import { crinkledPlan } from "./crinkled.ts";
import { plainPlan } from "./plain.ts";

export const isingPlain: LatticeModel = {
  ...ising,
  name: "ising-plain",
  title: "Ising model, plain layout",
  summary: "The Ising model by Metropolis' rule, four bits a site, in the lattice's own order.",
  on: plainPlan,
};

export const isingCrinkled: LatticeModel = {
  ...ising,
  name: "ising-crinkled",
  title: "Ising model, crinkled layout",
  summary:
    "The Ising model by Metropolis' rule, four bits a site, crinkled by 2 along the first axis, so that the sites of either colour lie together.",
  on: crinkledPlan,
};
