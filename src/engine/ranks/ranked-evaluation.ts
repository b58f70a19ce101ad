import type { Field } from "../../core/field.ts";
import { type Centering, type Grid, valueDims } from "../../core/grid.ts";
import type { Quantity } from "../../core/quantity.ts";
import { fieldsRead } from "../../lang/expression/execute/gpu/inputs.ts";
import { measureBy } from "../../lang/expression/execute/parts.ts";
import type { ScalarValues } from "../../lang/expression/filters/filter.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { type Block, ghostLayers, layersOf } from "../../lang/expression/plan/blocks.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import { type Part, resolveReductions } from "../../lang/expression/plan/reductions.ts";
import { centeringOf } from "../../lang/expression/plan/stages.ts";
import { componentsOf } from "../../lang/expression/types.ts";
import { planeElements, type RankedBlock, type RankedData } from "./ranked-data.ts";
import { type OwnPart, rankedValues } from "./ranked-values.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** What ranks evaluate with. */
export interface RankedRun extends RecordedRun {
  readonly data: RankedData;
}

/**
 * Evaluates outputs of a network on all ranks: each rank its own layers of the grid, from a block with as many layers
 * beyond them as the expression reads, which is computed anew instead of exchanged. What reductions give comes from all
 * ranks. The fields are this rank's parts. With a margin, which may be 0, each rank that has layers has all planes that these
 * touch, and so many more on either side. Throws what evaluation on one rank throws.
 */
export async function evaluateOnRanks(
  run: RankedRun,
  network: Network,
  outputs: readonly string[],
  margin?: number,
): Promise<RankedResults> {
  const { fields, quantities } = await resolveOnRanks(run, network, outputs);
  return { fields: fields.names.length > 0 ? await computePart(run, fields, margin) : new Map(), quantities };
}

/** What is left to compute of each field once all ranks know what reductions give, and the outputs that are numbers. */
export function resolveOnRanks(run: RankedRun, network: Network, outputs: readonly string[]) {
  const { communicator, data } = run;
  const ask = inOrder();
  const measure = measureBy({
    compute: (part) => computePart(run, part, undefined),
    valuesOf: (part: OwnPart) => asked(rankedValues(communicator, data.grid, part), ask),
  });
  return resolveReductions(network, outputs, measure);
}

interface RankedResults {
  readonly fields: ReadonlyMap<string, OwnPart>;
  readonly quantities: ReadonlyMap<string, Quantity>;
}

type Ask = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs what it is asked for one after the other: reductions ask at the same time, and ranks have to answer in one order. */
function inOrder(): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
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

/** This rank's part of fields without reductions, with a margin as `evaluateOnRanks` takes it. */
export async function computePart(
  run: RankedRun,
  part: Part,
  margin: number | undefined,
): Promise<ReadonlyMap<string, OwnPart>> {
  const { data, watch } = run;
  const chosen = chosenOutputs(part.network, part.names);
  const names = [...fieldsRead(part.network, chosen)];
  const taken = await data.block(names, ghostLayers(part.network, chosen) + (margin ?? 0));
  const fields = await watch.time("compute", () => computeBlock(run, part, taken), part.names.join(", "));
  return new Map(
    chosen.map(({ name, node }) => {
      const { type } = part.network.nodes[node];
      const centering = centeringOf(part.network.nodes[node]);
      const shape = { name, centering, components: componentsOf(type.value) };
      return [name, ownPart(data.grid, shape, fields.get(name), taken.block, margin)];
    }),
  );
}

/**
 * A scalar of the data on this rank's planes, as it is stored: not evaluated. Its margin is as in `evaluateOnRanks`. All
 * ranks call it together.
 */
export async function storedPart(
  { data }: RankedRun,
  name: string,
  margin: number | undefined,
): Promise<OwnPart> {
  const { block, dataSet } = await data.block([name], margin ?? 0);
  const field = dataSet.fields[0];
  const isEmpty = block.first === block.end;
  const part = ownPart(data.grid, field, isEmpty ? undefined : field, block, margin);
  return { ...part, field: { ...part.field, levels: field.levels } };
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
  margin: number | undefined,
): OwnPart {
  const plane = planeElements(grid, centering);
  if (!computed) {
    const data = new Float32Array(0);
    return { field: { name, centering, components, dtype: "f32", data }, first: block.first * plane };
  }
  const [first, end] =
    margin === undefined ? ownPlanes(grid, block, centering) : planesAround(grid, block, margin, centering);
  const data = computed.data.subarray(
    (first - block.from) * plane * components,
    (end - block.from) * plane * components,
  );
  return { field: { ...computed, name, data: data as Field["data"] }, first: first * plane };
}

type Planes = readonly [first: number, end: number];

/** Planes of values that are no other rank's: those on a border of layers are the upper rank's. */
function ownPlanes(grid: Grid, { first, end }: Pick<Block, "first" | "end">, centering: Centering): Planes {
  return [first, centering === "node" && end === layersOf(grid) ? grid.dims[2] : end];
}

/** Planes of nodes that layers touch, or of cells that they are, and so many more on either side. */
export function planesAround(
  grid: Grid,
  { first, end }: Pick<Block, "first" | "end">,
  margin: number,
  centering: Centering = "node",
): Planes {
  const top = centering === "node" ? Math.min(grid.dims[2] - 1, end + margin) + 1 : end + margin;
  return [Math.max(0, first - margin), Math.min(top, valueDims(grid, centering)[2])];
}

/** A part without what other ranks have of it, too. */
export function withoutMargin({ grid, layers }: RankedData, { field, first }: OwnPart): OwnPart {
  const plane = planeElements(grid, field.centering);
  const [from, end] = ownPlanes(grid, layers, field.centering).map((each) =>
    Math.max(0, (each * plane - first) * field.components),
  );
  const data = field.data.subarray(from, end);
  return { field: { ...field, data: data as Field["data"] }, first: layers.first * plane };
}
