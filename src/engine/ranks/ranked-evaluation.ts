import type { Communicator } from "../../cluster/communicator/communicator.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { Quantity } from "../../core/quantity.ts";
import { fieldsRead } from "../../lang/expression/execute/gpu/inputs.ts";
import { evaluateParts } from "../../lang/expression/execute/parts.ts";
import type { ScalarValues } from "../../lang/expression/filters/filter.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { type Block, ghostLayers, layersOf } from "../../lang/expression/plan/blocks.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import type { Part } from "../../lang/expression/plan/reductions.ts";
import { centeringOf } from "../../lang/expression/plan/stages.ts";
import { componentsOf } from "../../lang/expression/types.ts";
import type { RankEngine } from "./rank-engine.ts";
import { planeElements, type RankedBlock, type RankedData } from "./ranked-data.ts";
import { type OwnPart, rankedValues } from "./ranked-values.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What ranks evaluate with. */
export interface RankedRun {
  readonly communicator: Communicator;
  readonly engine: RankEngine;
  readonly data: RankedData;
  readonly job: JobContext;
  readonly watch: Stopwatch;
}

/**
 * Evaluates outputs of a network on all ranks: each rank its own layers of the grid, from a block with as many layers
 * beyond them as the expression reads, which is computed anew instead of exchanged. What reductions give comes from all
 * ranks. The fields are this rank's parts. Throws what evaluation on one rank throws.
 */
export async function evaluateOnRanks(
  run: RankedRun,
  network: Network,
  outputs: readonly string[],
): Promise<{ fields: ReadonlyMap<string, OwnPart>; quantities: ReadonlyMap<string, Quantity> }> {
  const { communicator, data, watch } = run;
  const ask = inOrder((work) => watch.time("communicate", work));
  return evaluateParts(network, outputs, {
    compute: (part) => computePart(run, part),
    valuesOf: (part) => asked(rankedValues(communicator, data.grid, part), ask),
  });
}

type Ask = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs what it is asked for one after the other: reductions ask at the same time, and ranks have to answer in one order. */
function inOrder(run: Ask): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(() => run(work));
    last = result.catch(() => {});
    return result;
  };
}

const asked = ({ statistics, quantile, counts, positionOf }: ScalarValues, ask: Ask): ScalarValues => ({
  statistics: () => ask(statistics),
  quantile: (p) => ask(() => quantile(p)),
  counts: (range, bins) => ask(() => counts(range, bins)),
  positionOf: (value) => ask(() => positionOf(value)),
});

async function computePart(run: RankedRun, part: Part): Promise<ReadonlyMap<string, OwnPart>> {
  const { data, watch } = run;
  const chosen = chosenOutputs(part.network, part.names);
  const names = [...fieldsRead(part.network, chosen)];
  const taken = await data.block(names, ghostLayers(part.network, chosen));
  const fields = await watch.time("compute", () => computeBlock(run, part, taken));
  return new Map(
    chosen.map(({ name, node }) => {
      const { type } = part.network.nodes[node];
      const centering = centeringOf(part.network.nodes[node]);
      const shape = { name, centering, components: componentsOf(type.value) };
      return [name, ownPart(data.grid, shape, fields.get(name), taken.block)];
    }),
  );
}

/** On the GPU where the rank has one. A rank without layers computes nothing. */
async function computeBlock(
  { engine, job }: RankedRun,
  { network, names }: Part,
  { block, dataSet }: RankedBlock,
): Promise<ReadonlyMap<string, Field>> {
  if (block.first === block.end) return new Map();
  const { gpu } = await engine.device();
  if (gpu) {
    const { runNetwork } = await import("../../lang/expression/execute/gpu/run.ts");
    return (await runNetwork(gpu, network, dataSet, names, job)).fields;
  }
  const { computeOnCpu } = await import("../../lang/expression/execute/cpu/compute.ts");
  return (await computeOnCpu(network, names, dataSet, job, engine.workers)).fields;
}

/** The rank's own layers of what it computed of a block. */
function ownPart(
  grid: Grid,
  { name, centering, components }: Pick<Field, "name" | "centering" | "components">,
  computed: Field | undefined,
  block: Block,
): OwnPart {
  const plane = planeElements(grid, centering);
  const first = block.first * plane;
  if (!computed) {
    return { field: { name, centering, components, dtype: "f32", data: new Float32Array(0) }, first };
  }
  const isLast = block.end === layersOf(grid);
  const end = centering === "node" && isLast ? grid.dims[2] : block.end;
  const data = computed.data.subarray(
    (block.first - block.from) * plane * components,
    (end - block.from) * plane * components,
  );
  return { field: { ...computed, name, data: data as Field["data"] }, first };
}
