import { type DataSet, type Field, makeField } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import { breathe, checkCancelled, type JobContext } from "../../../../core/job.ts";
import type { Quantity } from "../../../../core/quantity.ts";
import type { Neighborhood } from "../../filters/filter.ts";
import type { Network, NodeId } from "../../network/network.ts";
import { componentsOf } from "../../types.ts";
import { hostValues } from "../host-values.ts";
import { chosenOutputs } from "../outputs.ts";
import { type Part, resolveReductions } from "../reductions.ts";
import { centeringOf, planStages, type StagePlan, storedReads } from "../stages.ts";
import { HostSources } from "./sources.ts";
import { chunkElements, Sweep } from "./sweep.ts";

export interface CpuEvaluation {
  /** The outputs that vary, as f32; booleans are 0 and 1. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
}

/** Milliseconds of work between two moments in which other events may run. */
const breathEvery = 30;

/**
 * Computes the named outputs of a network on the CPU: the filters' twins in f64, in chunks that stay in cache.
 * Only what a stencil reads of computed values is stored whole, in f64, until its last use.
 * Throws UnknownName, and Cancelled soon after the job's signal.
 */
export async function evaluateOnCpu(
  given: Network,
  dataSet: DataSet,
  outputs: readonly string[],
  job: JobContext,
): Promise<CpuEvaluation> {
  const { fields, quantities } = await resolveReductions(given, outputs, async (part, read) => {
    const found = await fieldsOnCpu(part, dataSet, job);
    return read(new Map([...found].map(([name, field]) => [name, hostValues(dataSet.grid, field)])));
  });
  return { fields: await fieldsOnCpu(fields, dataSet, job), quantities };
}

async function fieldsOnCpu(
  { network, names }: Part,
  dataSet: DataSet,
  job: JobContext,
): Promise<ReadonlyMap<string, Field>> {
  const chosen = chosenOutputs(network, names);
  const nodes = chosen.map(({ node }) => node);
  const plan = planStages(
    network,
    nodes,
    (id, temporaries) => temporaries.has(id) || network.nodes[id].kind === "source",
  );
  const sources = new HostSources(dataSet);
  const results = new Map<NodeId, Float32Array<ArrayBuffer>>();
  const stored = new Map<NodeId, Neighborhood>();
  const pace = new Pace(job, totalElements(plan, dataSet));

  for (const stage of plan.stages) {
    const count = valueCount(dataSet.grid, stage.centering);
    const dims = sources.dims(stage.centering);
    for (const root of stage.roots) {
      const components = componentsOf(network.nodes[root].type.value);
      if (nodes.includes(root)) results.set(root, new Float32Array(count * components));
      if (plan.temporaries.has(root)) {
        const values = new Float64Array(count * components);
        stored.set(root, { dims, values, components, coordinates: sources.coordinates(stage.centering) });
      }
    }
    const sweep = new Sweep(network, stage, sources, stored);
    for (let first = 0; first < count; first += chunkElements) {
      const n = Math.min(chunkElements, count - first);
      sweep.run(first, n);
      for (const root of stage.roots) {
        const components = componentsOf(network.nodes[root].type.value);
        const values = sweep.values(root).subarray(0, n * components);
        results.get(root)?.set(values, first * components);
        (stored.get(root)?.values as Float64Array | undefined)?.set(values, first * components);
      }
      await pace.advance(n);
    }
    const later = plan.stages.slice(plan.stages.indexOf(stage) + 1);
    const awaited = new Set(later.flatMap((next) => [...storedReads(network, next)]));
    for (const id of stored.keys()) if (!awaited.has(id)) stored.delete(id);
  }

  const fields = new Map<string, Field>();
  for (const { name, node } of chosen) {
    const { type } = network.nodes[node];
    const data = results.get(node) as Float32Array<ArrayBuffer>;
    const isShared = [...fields.values()].some((field) => field.data === data);
    const own = isShared ? data.slice() : data;
    const centering = centeringOf(network.nodes[node]);
    fields.set(name, makeField(dataSet.grid, name, centering, componentsOf(type.value), own));
  }
  return fields;
}

function totalElements(plan: StagePlan, dataSet: DataSet): number {
  return plan.stages.reduce((sum, { centering }) => sum + valueCount(dataSet.grid, centering), 0);
}

/** Reports progress, notices a cancel and lets other events run, at a steady pace. */
class Pace {
  readonly #job: JobContext;
  readonly #total: number;
  #done = 0;
  #last = performance.now();

  constructor(job: JobContext, total: number) {
    this.#job = job;
    this.#total = total;
    checkCancelled(job, "Computing the expression");
  }

  async advance(elements: number): Promise<void> {
    this.#done += elements;
    if (performance.now() - this.#last < breathEvery) return;
    this.#job.progress(this.#done / this.#total, "Computing on the CPU");
    await breathe();
    checkCancelled(this.#job, "Computing the expression");
    this.#last = performance.now();
  }
}
