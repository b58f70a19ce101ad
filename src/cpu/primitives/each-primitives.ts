import { checkedEach } from "../../core/primitives/checked/each.ts";
import { checkedVectors } from "../../core/primitives/checked/vectors.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { cpuEach, noTextRunner } from "./each.ts";
import { vectorMaker } from "./vector.ts";
import { type Adopting, adopting, cpuVectors } from "./vectors.ts";

type CpuEach = Pick<Primitives, "fromHost" | "toHost" | "reduceEach" | "countEach"> & Adopting;

/**
 * The part of the primitives that reduces and counts, by loops that are written in JavaScript alone: for programs that load no
 * more. BadArgument where there is no loop.
 */
export function createCpuEach(): CpuEach {
  const owner = {};
  const newVector = vectorMaker(owner);
  const backend = { ...cpuVectors(owner, newVector), ...cpuEach(newVector, noTextRunner) };
  return { ...checkedVectors(backend), ...checkedEach(backend), ...adopting(owner) };
}
