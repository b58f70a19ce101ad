import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { emptyBox, isEmptyBox, valuesIn } from "../../core/box-values.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { valuesBetween } from "./block-values.ts";
import type { RankedData } from "./ranked-data.ts";
import { computePart, type RankedRun, resolveOnRanks } from "./ranked-evaluation.ts";
import type { OwnPart } from "./ranked-values.ts";

const maxTextLength = 2 ** 20;

/** Statements of derived fields, and of those that these read, and names of such and of fields of the data. */
export interface NamedFields {
  readonly text: string;
  readonly names: readonly string[];
}

/** Throws BadMessage. */
export function parseNamed(value: Value): NamedFields {
  const { text, names } = (value ?? {}) as Readonly<Record<string, Value>>;
  if (typeof text !== "string" || text.length > maxTextLength) throw badMessage("fields of no text");
  if (!Array.isArray(names) || !names.every((name): name is string => typeof name === "string"))
    throw badMessage("fields without names");
  return { text, names };
}

/**
 * The rank's part of each named field, with all nodes at corners of its cells: derived ones are computed, those of the data as
 * they are stored. `data` may be a part of what `run` has, whose reductions are those of the whole. A rank without cells has
 * no values. Throws what evaluation throws, and BadMessage for fields that there are not.
 */
export async function namedParts(
  run: RankedRun,
  data: RankedData,
  { text, names }: NamedFields,
): Promise<readonly OwnPart[]> {
  const parts = new Map<string, OwnPart>();
  if (text !== "") {
    const network = await compileOnDemand(text, data.fields);
    const derived = names.filter((name) => network.outputs.some((output) => output.name === name));
    const { fields } = await resolveOnRanks(run, network, derived);
    for (const [name, part] of await computePart({ ...run, data }, fields, 0)) parts.set(name, part);
  }
  const loaded = names.filter((name) => !parts.has(name));
  const { cells, nodes, dataSet } = await data.block(loaded, 0);
  for (const field of dataSet.fields) {
    const read = valuesBetween(nodes, field.centering);
    const box = isEmptyBox(cells) ? emptyBox : read;
    const values = valuesIn(field.data, read, box, field.components);
    parts.set(field.name, { field: { ...field, data: values }, box });
  }
  return names.map((name) => {
    const part = parts.get(name);
    if (!part) throw badMessage(`there is no field “${name}”`);
    return part;
  });
}
