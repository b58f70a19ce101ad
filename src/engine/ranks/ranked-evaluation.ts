import { boxCount } from "../../core/box.ts";
import { emptyBox, isEmptyBox, valuesIn } from "../../core/box-values.ts";
import { arrayOf } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { Quantity } from "../../core/quantity.ts";
import { fieldsRead } from "../../lang/expression/execute/gpu/inputs.ts";
import { measureBy } from "../../lang/expression/execute/parts.ts";
import type { ScalarValues } from "../../lang/expression/filters/filter.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { ghostLayers } from "../../lang/expression/plan/blocks.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import { type PrecisionOf, precisionsOf } from "../../lang/expression/plan/precision.ts";
import { type Part, resolveReductions } from "../../lang/expression/plan/reductions.ts";
import { centeringOf } from "../../lang/expression/plan/stages.ts";
import { componentsOf } from "../../lang/expression/types.ts";
import { ownValues, valuesAround, valuesBetween } from "./block-values.ts";
import { nsOfPart } from "./exchange-plan.ts";
import { withExchanges } from "./exchanged-values.ts";
import { movedAround, type Unmoved, withoutMoves } from "./moved-values.ts";
import { joinedPaces } from "./paces.ts";
import type { RankedBlock, RankedData } from "./ranked-data.ts";
import { type OwnPart, rankedStatistics, rankedValues, statisticsTogether } from "./ranked-values.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** What ranks evaluate with. */
export interface RankedRun extends RecordedRun {
  readonly data: RankedData;
}

/**
 * Evaluates outputs of a network on all ranks: each rank its own block of the grid, with as many layers around it as the
 * expression reads, which are computed anew unless ranks are done sooner by exchanging what they have of them
 * (`exchanged-values.ts`). What reductions give comes from all
 * ranks. The fields are this rank's parts. With a margin, which may be 0, each rank that has cells has all nodes at their
 * corners, and so many more layers on all sides. Throws what evaluation on one rank throws.
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
  const take = statisticsTogether((parts) => ask(() => rankedStatistics(communicator, parts)));
  const measure = measureBy({
    compute: (part) => computePart(run, part, undefined),
    valuesOf: (part: OwnPart) => asked(rankedValues(communicator, data.grid, part, take), ask),
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

/** Statistics are asked for in this order by what takes them together. */
const asked = ({ statistics, quantile, counts, positionOf }: ScalarValues, ask: Ask): ScalarValues => ({
  statistics,
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
  const whole = { ...run, data: run.data.divided ?? run.data };
  const unmoved = await withoutMoves(whole, part, {
    stored: (name) => storedPart(whole, name, undefined),
    async computed(before, moving) {
      const [own] = (await computeUnmoved(whole, { part: before, moving }, undefined)).values();
      return own;
    },
  });
  return computeUnmoved(run, unmoved, margin);
}

/** The same of a network without moves, some of whose fields other ranks send. */
async function computeUnmoved(
  run: RankedRun,
  unmoved: Unmoved,
  margin: number | undefined,
): Promise<ReadonlyMap<string, OwnPart>> {
  const exchanged = await withExchanges(run, unmoved, margin ?? 0, async (part, moving) => {
    const [own] = (await computeApart(run, { part, moving }, undefined, () => "f64")).values();
    return own;
  });
  return computeApart(run, exchanged, margin);
}

/**
 * The same, in which nothing but fields is sent. The results have the precision of what a CPU keeps of the whole, on all ranks, or on
 * CPUs what `stored` says.
 */
async function computeApart(
  run: RankedRun,
  { part, moving }: Unmoved,
  margin: number | undefined,
  stored?: PrecisionOf,
): Promise<ReadonlyMap<string, OwnPart>> {
  const { data, watch } = run;
  const chosen = chosenOutputs(part.network, part.names);
  const names = [...fieldsRead(part.network, chosen)];
  const ghosts = ghostLayers(part.network, chosen) + (margin ?? 0);
  const block = await data.block(names, ghosts);
  const moved: Field[] = [];
  for (const field of moving)
    if (names.includes(field.name)) moved.push(await movedAround(run, field, ghosts));
  const dataSet = { ...block.dataSet, fields: [...block.dataSet.fields, ...moved] };
  const taken = { ...block, dataSet };
  const start = performance.now();
  const needed = precisionsOf(part.network, data.grid, dataSet.fields);
  const compute = () => computeBlock(run, part, taken, stored ?? needed);
  const fields = await watch.time("compute", compute, part.names.join(", "));
  const nodes = isEmptyBox(taken.cells) ? 0 : boxCount(taken.nodes);
  const expectedMs = (nodes * nsOfPart(part)) / 1e6;
  watch.evaluated = joinedPaces(watch.evaluated, { nodes, ms: performance.now() - start, expectedMs });
  return new Map(
    chosen.map(({ name, node }) => {
      const { type } = part.network.nodes[node];
      const centering = centeringOf(part.network.nodes[node]);
      const shape = { name, centering, components: componentsOf(type.value), dtype: needed(node) };
      const { field, box } = ownPart(data.grid, shape, fields.get(name), taken, margin);
      const isWide = needed(node) === "f64";
      return [name, { field: { ...(isWide && !stored ? asF64(field) : field), isWide }, box }];
    }),
  );
}

/**
 * A field of the data on this rank's block, as it is stored: not evaluated. Its margin is as in `evaluateOnRanks`. All
 * ranks call it together.
 */
export async function storedPart(
  { data }: RankedRun,
  name: string,
  margin: number | undefined,
): Promise<OwnPart> {
  const block = await data.block([name], margin ?? 0);
  const field = block.dataSet.fields[0];
  const part = ownPart(data.grid, field, isEmptyBox(block.cells) ? undefined : field, block, margin);
  return { ...part, field: { ...part.field, levels: field.levels, isWide: field.isWide } };
}

/** On the GPU where the rank has one. A rank without cells computes nothing. */
async function computeBlock(
  { engine, job, watch }: RankedRun,
  { network, names }: Part,
  { cells, dataSet }: RankedBlock,
  precisionOf: PrecisionOf,
): Promise<ReadonlyMap<string, Field>> {
  if (isEmptyBox(cells)) return new Map();
  const { gpu } = await engine.device();
  if (gpu) {
    const { runNetwork } = await import("../../lang/expression/execute/gpu/run.ts");
    const { fields, report } = await runNetwork(gpu, network, dataSet, names, job);
    watch.device.add(report);
    return fields;
  }
  const { computeOnCpu } = await import("../../lang/expression/execute/cpu/compute.ts");
  return (await computeOnCpu(network, names, dataSet, job, engine.workers, precisionOf)).fields;
}

/** What a GPU computed, or a rank without cells has, in the precision of the other ranks. */
const asF64 = (field: Field): Field =>
  field.dtype === "f64"
    ? field
    : { ...field, dtype: "f64", data: Float64Array.from(field.data as Float32Array) };

/** The rank's own values of what it computed of a block, and those around them where there is a margin. */
function ownPart(
  grid: Grid,
  { name, centering, components, dtype }: Omit<Field, "data">,
  computed: Field | undefined,
  { cells, nodes }: RankedBlock,
  margin: number | undefined,
): OwnPart {
  if (!computed) {
    const data = new (arrayOf(dtype))(0);
    return { field: { name, centering, components, dtype, data }, box: emptyBox };
  }
  const box =
    margin === undefined ? ownValues(grid, cells, centering) : valuesAround(grid, cells, margin, centering);
  const data = valuesIn(computed.data, valuesBetween(nodes, centering), box, components);
  return { field: { ...computed, name, data }, box };
}

/** A part without what other ranks have of it, too. */
export function withoutMargin({ grid, cells }: RankedData, { field, box }: OwnPart): OwnPart {
  const own = isEmptyBox(cells) ? emptyBox : ownValues(grid, cells, field.centering);
  return { field: { ...field, data: valuesIn(field.data, box, own, field.components) }, box: own };
}
