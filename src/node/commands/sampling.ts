/** What `crinkle probe` and `crinkle line` have in common: values of fields at positions. */
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { PointColumn } from "../../core/point-set.ts";
import { type Samples, samplingFields } from "../../core/sample-fields.ts";
import { withPauses } from "../../core/steps.ts";
import { statisticsOf } from "../../engine/host-statistics.ts";
import type { Terminal } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { expressionText } from "../expression-text.ts";
import { readFile } from "../read-file.ts";
import { extensionOf } from "../write-file.ts";
import { writePoints } from "../write-results.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";

const sampleExtensions = [".csv", ".vtp"] as const;

export const sampleOptions = {
  field: {
    type: "string",
    help: "Fields of the file, or statements of --expr, separated by commas (all fields, or all results)",
  },
  expr: { type: "string", help: "Expressions whose values to take; @FILE, or - for standard input" },
  device: deviceOption,
  out: {
    type: "string",
    help: `File for the values, which are then not printed: ${sampleExtensions.join(", ")}`,
  },
  ...rawOptions,
} as const;

export const sampleUsage =
  `[--field NAME,…] [--expr 'EXPRESSION'] [--device gpu|cpu|auto] [--out FILE${sampleExtensions.join("|")}] ` +
  rawUsage;

type SampleOptions = { readonly [Name in keyof typeof sampleOptions]?: string };

/** Positions, x, y and z of each, and what else is known of each. */
export interface Positions {
  readonly positions: Float64Array;
  readonly columns: readonly PointColumn[];
}

/** Takes values at positions, writes them if requested, and reports them, or their ranges. */
export async function sample(
  path: string,
  given: SampleOptions,
  positionsIn: (grid: Grid) => Positions | Promise<Positions>,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const { out, expr } = given;
  if (out !== undefined) extensionOf(out, sampleExtensions);
  const wanted = given.field?.split(",").map((name) => name.trim());
  const text = expr === undefined ? undefined : await expressionText(expr);
  const device = wantedDevice(given.device);
  const dataSet = await readFile(path, terminal, wantedRaw(given));
  const at = await positionsIn(dataSet.grid);
  const start = performance.now();
  const { fields, constants, kind } =
    text === undefined
      ? { fields: fieldsNamed(dataSet, wanted), constants: [], kind: "cpu" }
      : await computed(dataSet, text, wanted, device, terminal);
  const samples = await withPauses(
    samplingFields(dataSet.grid, fields, at.positions),
    noJob,
    "Taking the values",
  );
  const ms = performance.now() - start;
  const { inside, columns } = samples;
  const own = new Set([...at.columns.map(({ name }) => name), "inside"]);
  const named = columns.map((column) =>
    own.has(column.name) ? { ...column, name: `${column.name} (field)` } : column,
  );
  if (out !== undefined) {
    const mask = { name: "inside", components: 1, dtype: "u8", data: inside } as const;
    await writePoints(out, {
      name: dataSet.name,
      dimensions: 3,
      positions: at.positions,
      columns: [...at.columns, ...named, mask],
      notes: [],
    });
  }
  const isPrinted = out === undefined;
  const results = fields.map(async (field, f) => ({
    ...summarizeField(field, await statisticsInside(columns[f], inside)),
    ...(isPrinted ? { values: rowsOf(columns[f]) } : {}),
  }));
  return {
    points: inside.length,
    inside: inside.reduce((sum, each) => sum + each, 0),
    ...(isPrinted ? { at: rowsOf({ components: 3, data: at.positions }) } : {}),
    ...(isPrinted ? Object.fromEntries(at.columns.map((column) => [column.name, rowsOf(column)])) : {}),
    results: [...(await Promise.all(results)), ...constants],
    device: kind,
    ms,
  };
}

async function computed(
  dataSet: DataSet,
  text: string,
  wanted: readonly string[] | undefined,
  device: ReturnType<typeof wantedDevice>,
  terminal: Terminal,
) {
  const [{ evaluateText }, { openSession }] = await Promise.all([
    import("../../engine/evaluate.ts"),
    import("../device.ts"),
  ]);
  const session = await openSession(device, terminal);
  await session.setDataSet(dataSet);
  const { results, notes, threads } = await evaluateText(session, text, wanted, undefined, noJob);
  for (const note of notes) terminal.err(note);
  const fields: Field[] = [];
  const constants: object[] = [];
  for (const { name, value } of results) {
    if (value.kind === "quantity") constants.push(summarizeQuantity(name, value.quantity));
    else fields.push({ ...(await session.download(value)), name });
  }
  return { fields, constants, kind: threads === undefined ? session.device.summary.kind : "cpu" };
}

function fieldsNamed({ fields }: DataSet, wanted: readonly string[] | undefined): readonly Field[] {
  if (wanted === undefined) return fields;
  return wanted.map((name) => {
    const field = fields.find((each) => each.name === name);
    if (field) return field;
    const known = fields.map((each) => `“${each.name}”`).join(", ");
    throw new CrinkleError({
      tag: "UnknownName",
      problem: `There is no field “${name}”.`,
      remedy: known ? `The fields are ${known}.` : "The data set has no fields.",
    });
  });
}

function statisticsInside({ components, data }: PointColumn, inside: Samples["inside"]) {
  return statisticsOf(
    (data as Float64Array).filter((_, i) => inside[Math.floor(i / components)] === 1),
    components,
  );
}

/** Numbers, or lists of them where there are several components. */
function rowsOf({ components, data }: Pick<PointColumn, "components" | "data">) {
  const values = Array.from(data as ArrayLike<number | bigint>, Number);
  if (components === 1) return values;
  return Array.from({ length: values.length / components }, (_, i) =>
    values.slice(components * i, components * (i + 1)),
  );
}
