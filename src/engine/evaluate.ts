import { CrinkleError } from "../core/errors.ts";
import type { Field } from "../core/field.ts";
import type { JobContext } from "../core/job.ts";
import { nearestName } from "../core/names.ts";
import { compile } from "../lang/expression/compile.ts";
import type { Network } from "../lang/expression/network/network.ts";
import type { RunReport } from "../lang/expression/strategies/run/report.ts";
import type { RunOptions } from "../lang/expression/strategies/run/run.ts";
import { resultName } from "../lang/expression/syntax/tree.ts";
import type { FieldValue } from "./derived.ts";
import type { Session } from "./session.ts";

export { strategyNames } from "../lang/expression/strategies/run/report.ts";

export interface StatementValue {
  readonly name: string;
  /** The caller's to release. */
  readonly value: FieldValue;
  readonly kernels: number;
  readonly notes: readonly string[];
}

/**
 * The value of one statement of a text: the one called `wanted`, or the last one. A last statement without a name
 * takes the name `wanted`. Throws UnknownName, and what compiling and evaluating throw.
 */
export async function evaluateStatement(
  session: Session,
  text: string,
  wanted: string | undefined,
  job: JobContext,
): Promise<StatementValue> {
  const network = compile(text, session.signatures());
  const { output, name } = chooseStatement(network, wanted);
  const { values, kernels } = await session.evaluate(network, [output], job);
  return { name, value: values.get(output)!, kernels, notes: network.notes };
}

/** As `evaluateStatement`, by a strategy of the GPU, with an account of what moved. */
export async function runStatement(
  session: Session,
  text: string,
  wanted: string | undefined,
  options: RunOptions,
  job: JobContext,
): Promise<{ readonly field: Field; readonly report: RunReport; readonly notes: readonly string[] }> {
  const network = compile(text, session.signatures());
  const { output, name } = chooseStatement(network, wanted);
  const { fields, report } = await session.run(network, [output], options, job);
  return { field: { ...(fields.get(output) as Field), name }, report, notes: network.notes };
}

function chooseStatement({ outputs }: Network, wanted: string | undefined) {
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
