import type { DataSet, Field } from "../../../../core/field.ts";
import type { JobContext } from "../../../../core/job.ts";
import type { Quantity } from "../../../../core/quantity.ts";
import type { Network } from "../../network/network.ts";
import type { Part } from "../../plan/reductions.ts";
import { roundingNotes } from "../../plan/rounding-notes.ts";
import { hostValues } from "../host-values.ts";
import { evaluateParts } from "../parts.ts";
import { computeOnCpu } from "./compute.ts";
import type { CpuWorkers } from "./workers.ts";

export interface CpuEvaluation {
  /** The outputs that vary: f64 where f32 would round what they come from, else f32. Booleans are 0 and 1. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  /** The most threads that a part of it was shared among. */
  readonly threads: number;
  /** Sentences about what kept threads from helping, and about integers that f64 rounds. */
  readonly notes: readonly string[];
}

/**
 * Computes the named outputs of a network on the CPU: the filters in f64, in chunks that stay in cache, which the
 * caller's thread and the workers share where that pays. Values do not depend on how many there are. Only what a stencil
 * reads of computed values is stored whole, in f64, until its last use.
 * Throws UnknownName, Internal where a worker fails, and Cancelled soon after the job's signal.
 */
export async function evaluateOnCpu(
  given: Network,
  dataSet: DataSet,
  outputs: readonly string[],
  job: JobContext,
  workers?: CpuWorkers,
): Promise<CpuEvaluation> {
  let threads = 1;
  const notes = new Set<string>();
  const compute = async ({ network, names }: Part): Promise<ReadonlyMap<string, Field>> => {
    const computed = await computeOnCpu(network, names, dataSet, job, workers);
    threads = Math.max(threads, computed.threads);
    if (computed.note) notes.add(computed.note);
    return computed.fields;
  };
  const valuesOf = (field: Field) => hostValues(dataSet.grid, field);
  const found = await evaluateParts(given, outputs, { compute, valuesOf });
  return { ...found, threads, notes: [...notes, ...roundingNotes(dataSet, given, outputs)] };
}
