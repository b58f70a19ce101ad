import type { DataSet } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import type { ElementNode, Network, NetworkNode, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { comparisons } from "../../plan/composition/leveled.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import { resolveReductions } from "../../plan/reductions.ts";
import { inputsOf } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";
import { computeOnCpu } from "../cpu/compute.ts";
import { hostValues } from "../host-values.ts";
import { measureBy } from "../parts.ts";
import { ErrorBounds, type SampledValues } from "./error-bounds.ts";
import { mayLoseDigits } from "./may-lose-digits.ts";
import { sampleOf } from "./sample.ts";

/** Errors above this share of a result's range leave it fewer than four significant digits. */
const tolerated = 1e-4;

/** Where the fields' own rounding makes so much of an error, another device does not help. */
const inherentShare = 1 / 8;

/** What these give depends on the digits of what they count. */
const countsValues: ReadonlySet<string> = new Set(["histogram", "entropy"]);

/** The share of a sample in which errors are too large: singularities and steps are seldom met. */
const decisiveShare = 0.25;

/**
 * The names of those outputs of which f32 would leave fewer than four significant digits of their range, though the fields have them:
 * by a running error analysis (Higham, Accuracy and Stability of Numerical Algorithms, § 3.3) of the values on a sample of
 * the grid, about 4,000 nodes. Reductions are those of the sample.
 */
export async function lostDigits(
  network: Network,
  names: readonly string[],
  dataSet: DataSet,
): Promise<string[]> {
  const chosen = chosenOutputs(network, names);
  const originsOf = (ids: readonly NodeId[]) => inputsFirst(ids, (id) => inputsOf(network.nodes[id]));
  const order = originsOf(chosen.map(({ node }) => node));
  if (!mayLoseDigits(network, names, dataSet)) return [];
  const sample = sampleOf(dataSet);
  const values = await sampledValues(network, names, order, sample);
  const [single, inherent] = (["f32", "fields"] as const).map(
    (source) => new ErrorBounds(network, dataSet, sample, values, source),
  );
  for (const id of order) {
    single.of(id);
    inherent.of(id);
  }
  const isLost = (id: NodeId): boolean => {
    const node = network.nodes[id];
    if (isComparison(node)) {
      const [a, b] = node.inputs.map((input) => values.get(input) as Float64Array);
      const difference = a.map((value, i) => value - b[i]);
      return isBlurred(difference, single.ofCompared(node), inherent.ofCompared(node), 1);
    }
    if (node.kind === "reduction" && countsValues.has(node.filter.name)) return isLost(node.inputs[0]);
    const components = componentsOf(node.type.value);
    const isSame = node.type.placement === "constant";
    return isBlurred(values.get(id) as Float64Array, single.of(id), inherent.of(id), components, isSame);
  };
  return chosen
    .filter(({ node }) =>
      [node, ...originsOf([node]).filter((id) => isComparison(network.nodes[id]))].some(isLost),
    )
    .map(({ name }) => name);
}

const isComparison = (node: NetworkNode): node is ElementNode =>
  node.kind === "element" && comparisons.has(node.filter.name);

/** Whether errors are too large for the range of values; of what is the same everywhere, for the value. */
function isBlurred(
  values: Float64Array,
  errors: Float64Array,
  inherent: Float64Array,
  components: number,
  isSame = false,
): boolean {
  const lows = new Float64Array(components).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(components).fill(Number.NEGATIVE_INFINITY);
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const c = i % components;
    lows[c] = Math.min(lows[c], isSame ? 0 : value);
    highs[c] = Math.max(highs[c], isSame ? Math.abs(value) : value);
  });
  const range = Math.max(...highs.map((high, c) => high - lows[c]));
  if (!(range > 0)) return false;
  let finite = 0;
  let blurred = 0;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    finite++;
    if (errors[i] > tolerated * range && inherent[i] < inherentShare * errors[i]) blurred++;
  });
  return blurred > decisiveShare * finite;
}

/** What all nodes are on the sample; what is the same everywhere as often as there are nodes. */
async function sampledValues(
  network: Network,
  names: readonly string[],
  order: readonly NodeId[],
  sample: DataSet,
): Promise<SampledValues> {
  const wide = () => "f64" as const;
  const compute = async (network: Network, names: readonly string[]) =>
    (await computeOnCpu(network, names, sample, noJob, undefined, wide)).fields;
  const measure = measureBy({
    compute: ({ network, names }) => compute(network, names),
    valuesOf: (field) => hostValues(sample.grid, field),
  });
  const { fields } = await resolveReductions(network, names, measure);
  const { nodes } = fields.network;
  const varying = order.filter((id) => nodes[id].kind !== "constant" && nodes[id].kind !== "reduction");
  const outputs = varying.map((node) => ({ name: `${node}`, node }));
  const found = await compute(
    { nodes, outputs, notes: [] },
    outputs.map(({ name }) => name),
  );
  const [nx, ny, nz] = sample.grid.dims;
  return new Map(
    order.map((id) => {
      const node = nodes[id];
      const computed = found.get(`${id}`);
      if (computed) return [id, computed.data as Float64Array];
      const values = node.kind === "constant" ? node.values : [0];
      return [
        id,
        Float64Array.from({ length: nx * ny * nz * values.length }, (_, i) => values[i % values.length]),
      ];
    }),
  );
}
