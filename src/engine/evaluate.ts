import { CrinkleError } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import { nearestName } from "../core/names.ts";
import type { Quantity } from "../core/quantity.ts";
import type { RunOptions } from "../lang/expression/execute/gpu/run.ts";
import { onlyOneWay } from "../lang/expression/execute/reason.ts";
import type { RunReport } from "../lang/expression/execute/report.ts";
import type { Network } from "../lang/expression/network/network.ts";
import { resultName } from "../lang/expression/syntax/tree.ts";
import type { FieldValue } from "./derived.ts";
import type { Session } from "./session.ts";

export { strategyNames } from "../lang/expression/plan/strategies.ts";

/** A field is the caller's to release. */
export type Evaluated = FieldValue | { readonly kind: "quantity"; readonly quantity: Quantity };

export interface StatementValue {
  readonly name: string;
  readonly value: Evaluated;
  /** What moved and was held; undefined on a CPU. */
  readonly report: RunReport | undefined;
  /** Threads that computed; undefined where a GPU did. */
  readonly threads?: number;
  readonly notes: readonly string[];
}

/**
 * The value of one statement of a text: the one called `wanted`, or the last one. A last statement without a name
 * takes the name `wanted`. With `options` a GPU computes it from host memory to host memory; without, fields and value
 * stay on it where they fit. Throws UnknownName, and what compiling and evaluating throw.
 */
export async function evaluateStatement(
  session: Session,
  text: string,
  wanted: string | undefined,
  options: RunOptions | undefined,
  job: JobContext,
): Promise<StatementValue> {
  const network = await session.compile(text);
  const { output, name } = chooseStatement(network, wanted);
  const { notes } = network;
  if (options && session.device.gpu) {
    const { fields, quantities, report } = await session.run(network, [output], options, job);
    const field = fields.get(output);
    const value = eitherOf(field && { kind: "host", field }, quantities.get(output));
    return { name, value, report, notes: [...notes, ...(await session.precisionNotes(network, [output]))] };
  }
  const evaluation = await session.evaluate(network, [output], job, { strategy: "auto" });
  const { values, quantities, account, threads } = evaluation;
  const said = [...notes, ...(evaluation.notes ?? [])];
  const asked = options?.strategy ?? "auto";
  return {
    name,
    value: eitherOf(values.get(output), quantities.get(output)),
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
