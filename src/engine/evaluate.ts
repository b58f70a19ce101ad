import { CrinkleError } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import { nearestName } from "../core/names.ts";
import type { Quantity } from "../core/quantity.ts";
import type { RunOptions } from "../lang/expression/execute/gpu/run.ts";
import { onlyOneWay } from "../lang/expression/execute/reason.ts";
import type { RunReport } from "../lang/expression/execute/report.ts";
import type { Network } from "../lang/expression/network/network.ts";
import { resultStatements } from "../lang/expression/results.ts";
import { resultName } from "../lang/expression/syntax/tree.ts";
import type { FieldValue } from "./derived.ts";
import type { Session } from "./session.ts";

export { strategyNames } from "../lang/expression/plan/strategies.ts";

/** A field is the caller's to release. */
export type Evaluated = FieldValue | { readonly kind: "quantity"; readonly quantity: Quantity };

export interface NamedValue {
  readonly name: string;
  readonly value: Evaluated;
}

export interface TextValues {
  readonly results: readonly NamedValue[];
  /** What moved and was held; undefined on a CPU. */
  readonly report: RunReport | undefined;
  /** Threads that computed; undefined where a GPU did. */
  readonly threads?: number;
  readonly notes: readonly string[];
}

/**
 * The values of a text's results, which are the statements that no later one builds on, or of those statements that are `wanted`. A last
 * statement without a name takes the wanted name that no other has. With `options` a GPU computes them from host memory to host
 * memory; without, fields and values stay on it where they fit. Throws UnknownName, and what compiling and evaluating throw.
 */
export async function evaluateText(
  session: Session,
  text: string,
  wanted: readonly string[] | undefined,
  options: RunOptions | undefined,
  job: JobContext,
): Promise<TextValues> {
  const network = await session.compile(text);
  const { notes } = network;
  const names = new Set(wanted ?? resultStatements(text).results.map(({ name }) => name));
  const chosen = [...names].map((name) => chooseStatement(network, name));
  const outputs = [...new Set(chosen.map(({ output }) => output))];
  const resultsOf = (
    fieldOf: (output: string) => FieldValue | undefined,
    quantities: ReadonlyMap<string, Quantity>,
  ) => chosen.map(({ output, name }) => ({ name, value: eitherOf(fieldOf(output), quantities.get(output)) }));
  if (options && session.device.gpu) {
    const { fields, quantities, report } = await session.run(network, outputs, options, job);
    const onHost = (output: string) => {
      const field = fields.get(output);
      return field && ({ kind: "host", field } as const);
    };
    return {
      results: resultsOf(onHost, quantities),
      report,
      notes: [...notes, ...(await session.precisionNotes(network, outputs))],
    };
  }
  const evaluation = await session.evaluate(network, outputs, job, { strategy: "auto" });
  const { values, quantities, account, threads } = evaluation;
  const said = [...notes, ...(evaluation.notes ?? [])];
  const asked = options?.strategy ?? "auto";
  return {
    results: resultsOf((output) => values.get(output), quantities),
    report: account,
    threads,
    notes: account || asked === "auto" ? said : [...said, onlyOneWay(asked)],
  };
}

function eitherOf(field: FieldValue | undefined, quantity: Quantity | undefined): Evaluated {
  return field ?? { kind: "quantity", quantity: quantity as Quantity };
}

/** The output that a statement is called by, and the name to report it by. Throws UnknownName. */
export function chooseStatement({ outputs }: Network, wanted: string | undefined) {
  const last = outputs[outputs.length - 1].name;
  if (wanted === undefined) return { output: last, name: last };
  const names = outputs.map(({ name }) => name);
  if (names.includes(wanted)) return { output: wanted, name: wanted };
  if (last === resultName) return { output: last, name: wanted };
  throw new CrinkleError({
    tag: "UnknownName",
    problem: `No statement of the expression is called “${wanted}”.`,
    remedy: `Did you mean “${nearestName(wanted, names) ?? last}”?`,
  });
}
