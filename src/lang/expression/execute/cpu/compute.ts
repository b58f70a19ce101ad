import { type DataSet, type Field, makeField } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../../../../core/job.ts";
import type { Network, NetworkOutput, NodeId } from "../../network/network.ts";
import { checkMovedAxes } from "../../plan/moved-axes.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { type PrecisionOf, precisionsOf } from "../../plan/precision.ts";
import { centeringOf, planStages, type StagePlan, storedReads } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";
import { ChunkBoard } from "./chunk-board.ts";
import { computeChunks } from "./compute-chunks.ts";
import { estimateOf } from "./estimate.ts";
import { type Memory, ownMemory, SharedMemory } from "./memory.ts";
import { HostSources } from "./sources.ts";
import { type StageTask, type StoredArray, stageSteps } from "./task.ts";
import type { CpuWorkers } from "./workers.ts";

/** Milliseconds of work between two moments in which other events may run. */
const yieldInterval = 30;

export interface Computed {
  readonly fields: ReadonlyMap<string, Field>;
  /** Threads that the work was offered to. */
  readonly threads: number;
  /** Why there were fewer threads than cores, where the work was long enough to notice. */
  readonly note: string | undefined;
}

/** Work of so many nanoseconds is noticed. */
const noticedNs = 2e7;

/**
 * Computes the named outputs of a network without reductions, stage by stage, with the workers' help where it pays, in the precision
 * that `precisionOf` says; in f64 they are the values that later stages read.
 */
export async function computeOnCpu(
  network: Network,
  names: readonly string[],
  dataSet: DataSet,
  job: JobContext,
  workers: CpuWorkers | undefined,
  precisionOf: PrecisionOf = precisionsOf(network, dataSet.grid, dataSet.fields),
): Promise<Computed> {
  checkMovedAxes(network, dataSet.grid);
  const chosen = chosenOutputs(network, names);
  const nodes = chosen.map(({ node }) => node);
  const plan = planStages(
    network,
    nodes,
    (id, temporaries) => temporaries.has(id) || network.nodes[id].kind === "source",
  );
  const estimate = workers && estimateOf(network, nodes, plan, dataSet);
  const work = { network, chosen, plan, dataSet, job, precisionOf };
  const isLong = estimate !== undefined && estimate.workNs > noticedNs;
  const note = (threads: number) => (isLong ? fewerThreads(threads, workers?.problem) : undefined);
  if (estimate && workers.pays(estimate)) {
    try {
      const fields = await computeStages(work, workers);
      const threads = 1 + workers.size;
      return { fields, threads, note: note(threads) };
    } catch (error) {
      // No memory for shared copies: without them there may be enough.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { fields: await computeStages(work, undefined), threads: 1, note: note(1) };
}

function fewerThreads(threads: number, problem: string | undefined): string | undefined {
  return problem && `${threads === 1 ? "One thread" : `${threads} threads`} of the CPU computed. ${problem}`;
}

interface Work {
  readonly network: Network;
  readonly chosen: readonly NetworkOutput[];
  readonly plan: StagePlan;
  readonly dataSet: DataSet;
  readonly job: JobContext;
  readonly precisionOf: PrecisionOf;
}

async function computeStages(
  { network, chosen, plan, dataSet, job, precisionOf }: Work,
  helpers: CpuWorkers | undefined,
): Promise<ReadonlyMap<string, Field>> {
  const nodes = chosen.map(({ node }) => node);
  const memory = helpers ? new SharedMemory() : ownMemory;
  const sources = new HostSources(dataSet, memory);
  const results = new Map<NodeId, Float32Array | Float64Array>();
  const stored = new Map<NodeId, StoredArray>();
  const yielder = new Yielder(job, totalElements(plan, dataSet));
  const arrayOf = (id: NodeId): StoredArray => {
    const node = network.nodes[id];
    if (node.kind === "source") return sources.array(node);
    const array = stored.get(id);
    if (!array) throw new Error(`a ${node.kind} is read at neighbours before it is stored`);
    return array;
  };

  for (const [k, stage] of plan.stages.entries()) {
    const count = valueCount(dataSet.grid, stage.centering);
    const { steps, stepOf } = stageSteps(network, stage, arrayOf);
    const outputs: StageTask["outputs"][number][] = [];
    for (const root of stage.roots) {
      const components = componentsOf(network.nodes[root].type.value);
      const step = stepOf.get(root) as number;
      if (nodes.includes(root)) {
        const length = count * components;
        const values = precisionOf(root) === "f32" ? memory.floats(length) : memory.doubles(length);
        results.set(root, values);
        outputs.push({ step, values });
      }
      if (plan.temporaries.has(root)) {
        const values = memory.doubles(count * components);
        stored.set(root, { centering: stage.centering, values, components, stride: components, offset: 0 });
        outputs.push({ step, values });
      }
    }
    await runStage({ grid: dataSet.grid, centering: stage.centering, steps, outputs }, helpers, yielder);
    const awaited = new Set(plan.stages.slice(k + 1).flatMap((next) => [...storedReads(network, next)]));
    for (const id of stored.keys()) if (!awaited.has(id)) stored.delete(id);
  }

  const fields = new Map<string, Field>();
  for (const { name, node } of chosen) {
    const field = outputField(network, node, name, results, dataSet, memory, fields);
    fields.set(name, field);
  }
  // Not where it failed: a thread may still be at its last chunk then.
  memory.release();
  return fields;
}

function outputField(
  network: Network,
  node: NodeId,
  name: string,
  results: ReadonlyMap<NodeId, Float32Array | Float64Array>,
  { grid }: DataSet,
  memory: Memory,
  former: ReadonlyMap<string, Field>,
): Field {
  const { type } = network.nodes[node];
  const data = memory.give(results.get(node) as Float32Array | Float64Array);
  const isTaken = [...former.values()].some((field) => field.data === data);
  const own = isTaken ? data.slice() : data;
  return makeField(grid, name, centeringOf(network.nodes[node]), componentsOf(type.value), own);
}

/** Computes a stage on this thread and on those that help. */
async function runStage(task: StageTask, helpers: CpuWorkers | undefined, yielder: Yielder): Promise<void> {
  const board = ChunkBoard.of(task, helpers !== undefined);
  try {
    const help = helpers?.help(task, board.cells);
    for (const _ of computeChunks(task, board)) await yielder.at(board.doneElements);
    if (!board.isDone) await help?.finished();
  } finally {
    board.stop();
  }
  yielder.enter(board.doneElements);
}

function totalElements(plan: StagePlan, dataSet: DataSet): number {
  return plan.stages.reduce((sum, { centering }) => sum + valueCount(dataSet.grid, centering), 0);
}

/** Reports progress, notices a cancel and lets other events run, at a steady pace. */
class Yielder {
  readonly #job: JobContext;
  readonly #total: number;
  /** Elements of the stages before. */
  #before = 0;
  #last = performance.now();

  constructor(job: JobContext, total: number) {
    this.#job = job;
    this.#total = total;
    checkCancelled(job, "Computing the expression");
  }

  /** So many elements of the present stage are done. */
  async at(elements: number): Promise<void> {
    if (performance.now() - this.#last < yieldInterval) return;
    this.#job.progress((this.#before + elements) / this.#total, "Computing on the CPU");
    await yieldToEventLoop();
    checkCancelled(this.#job, "Computing the expression");
    this.#last = performance.now();
  }

  /** The next stage begins, after one of so many elements. */
  enter(elements: number): void {
    this.#before += elements;
  }
}
