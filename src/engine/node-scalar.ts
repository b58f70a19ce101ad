import { CrinkleError } from "../core/errors.ts";
import { fieldNamed } from "../core/field.ts";
import type { JobContext } from "../core/job.ts";
import type { Statistics } from "../core/statistics.ts";
import { compile } from "../lang/expression/compile.ts";
import type { Network } from "../lang/expression/network/network.ts";
import { parseProgram } from "../lang/expression/syntax/parse.ts";
import { quoteName } from "../lang/expression/syntax/quoting.ts";
import { describeType } from "../lang/expression/types.ts";
import { type FieldValue, releaseValue } from "./derived.ts";
import type { Session } from "./session.ts";

/** A scalar per grid node: what surfaces are cut from and coloured by. */
export interface NodeScalar {
  readonly text: string;
  readonly value: FieldValue;
  readonly statistics: Statistics;
  readonly notes: readonly string[];
  /** Frees what was computed for it; fields of the session stay. */
  release(): void;
}

const outputName = "node_scalar";

/**
 * Evaluates a text whose last value is a scalar field, moved to the nodes where it lives in cells (noted).
 * A scalar field of the session that lies on nodes already is used as it is.
 * Throws what compiling and evaluating throw, and TypeError for vectors, tensors and constants.
 */
export async function nodeScalar(session: Session, text: string, job: JobContext): Promise<NodeScalar> {
  const network = compileLast(session, text);
  const last = network.nodes[network.outputs[0].node];
  requireScalar(text, last.type.value, last.type.placement);
  if (
    last.kind === "source" &&
    last.type.placement === "node" &&
    isWhole(session, last.field, last.component)
  ) {
    const { field } = last;
    const value = await sessionValue(session, field, job);
    return { text, value, statistics: session.statisticsOf(field), notes: network.notes, release: () => {} };
  }
  const isCell = last.type.placement === "cell";
  const onNodes = isCell ? compileLast(session, text, (value) => `recenter(${value}, "node")`) : network;
  const { values } = await session.evaluate(onNodes, [outputName], job);
  const value = values.get(outputName)!;
  try {
    const statistics = await session.statistics(value);
    const notes = isCell
      ? [...network.notes, `${text} lives in cells; it is averaged to the nodes.`]
      : network.notes;
    return { text, value, statistics, notes, release: () => releaseValue(value) };
  } catch (error) {
    releaseValue(value);
    throw error;
  }
}

/** Compiles a text with its last value, wrapped by `around`, as the one output. */
function compileLast(session: Session, text: string, around = (value: string) => value): Network {
  const { statements } = parseProgram(text);
  const last = statements.at(-1);
  if (!last) throw new CrinkleError({ tag: "SyntaxError", problem: "The expression is empty." });
  const before = last.nameSpan ? `${text}\n` : text.slice(0, last.span.from);
  const value = last.nameSpan ? quoteName(last.name) : `(${text.slice(last.span.from, last.span.to)})`;
  return compile(`${before}${outputName} = ${around(value)}`, session.signatures(), {
    outputs: [outputName],
  });
}

function requireScalar(
  text: string,
  value: Network["nodes"][number]["type"]["value"],
  placement: string,
): void {
  if (value !== "scalar" && value !== "bool") {
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${text}” is a ${describeType(value)} where a scalar is due.`,
      remedy: value === "mat3" ? "Take a component of it." : `Take magnitude(${text}), or a component.`,
    });
  }
  if (placement === "constant") {
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${text}” is one number everywhere, not a field.`,
      remedy: "Use a field in it.",
    });
  }
}

/** Whether a source stands for a whole field of one component. */
function isWhole(session: Session, name: string, component: number | undefined): boolean {
  return (
    component === undefined && session.signatures().find((field) => field.name === name)?.components === 1
  );
}

async function sessionValue(session: Session, name: string, job: JobContext): Promise<FieldValue> {
  const { gpu } = session.device;
  if (gpu) return { kind: "gpu", field: await session.gpuField(gpu, name, job) };
  const field = session.derived.get(name)?.value.field ?? fieldNamed(session.data.dataSet, name);
  if (!field || "buffer" in field) throw session.unknownField(name);
  return { kind: "host", field };
}
