import { fitsF32 } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import type { Statistics } from "../../core/statistics.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { quoteName } from "../../lang/expression/syntax/quoting.ts";
import { describeType } from "../../lang/expression/types.ts";
import { chooseStatement } from "../evaluate.ts";
import { withLevelsOfWhole } from "./ranked-data.ts";
import { evaluateOnRanks, type RankedRun, storedPart, withoutMargin } from "./ranked-evaluation.ts";
import { type OwnPart, rankedStatistics } from "./ranked-values.ts";

export interface RankedScalar {
  readonly name: string;
  /** On the nodes of this rank's block, and of so many layers around it as its caller has asked for. */
  readonly field: Field;
  /** Of the whole. */
  readonly statistics: Statistics;
  readonly notes: readonly string[];
}

/** Whether the source is a field of one component that f32 cannot hold: one rank makes surfaces of its values as they are. */
const isWideScalar = (
  fields: RankedRun["data"]["fields"],
  name: string,
  component: number | undefined,
): boolean =>
  component === undefined &&
  fields.some((field) => field.name === name && field.components === 1 && !fitsF32(field.dtype));

/**
 * A statement's value as a scalar on the nodes of this rank's block, with a margin as `evaluateOnRanks` takes it: means of the cells around where it lies in
 * cells. Throws what evaluation throws, and TypeError for vectors, tensors and constants.
 */
export async function scalarOnRanks(
  run: RankedRun,
  text: string,
  wanted: string | null,
  margin: number | undefined,
): Promise<RankedScalar> {
  const { data } = run;
  let network = await compileOnDemand(text, data.fields);
  const { output, name } = chooseStatement(network, wanted ?? undefined);
  const node = network.nodes[network.outputs.findLast((each) => each.name === output)?.node ?? 0];
  const { value, placement } = node.type;
  if (placement === "constant" || (value !== "scalar" && value !== "bool")) {
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${name}” is ${placement === "constant" ? "the same everywhere" : describeType(value)}.`,
      remedy: "A surface needs a scalar field, such as magnitude(velocity).",
    });
  }
  if (
    node.kind === "source" &&
    isWideScalar(data.fields, node.field, node.component) &&
    placement === "node"
  ) {
    const part = await storedPart(run, node.field, margin);
    const [statistics] = await rankedStatistics(run.communicator, [withoutMargin(data, part)]);
    return { name, field: { ...part.field, name: output }, statistics, notes: network.notes };
  }
  let read = output;
  if (placement === "cell") {
    read = "on the nodes";
    network = await compileOnDemand(
      `${text}\n${quoteName(read)} = recenter(${quoteName(output)})`,
      data.fields,
    );
  }
  const { fields } = await evaluateOnRanks(run, network, [read], margin);
  const part = fields.get(read) as OwnPart;
  const [statistics] = await rankedStatistics(run.communicator, [withoutMargin(data, part)]);
  const [field] = await withLevelsOfWhole(run.communicator, [part.field]);
  return { name, field, statistics, notes: network.notes };
}
