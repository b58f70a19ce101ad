import { CrinkleError } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import type { Statistics } from "../core/statistics.ts";
import type { CompactField } from "../gpu/fields/compact-field.ts";
import type { Network } from "../lang/expression/network/network.ts";
import { parseProgram } from "../lang/expression/syntax/parse.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import { resultName, valueStatements } from "../lang/expression/syntax/tree.ts";
import { describeType } from "../lang/expression/types.ts";
import { type FieldValue, releaseValue } from "./derived.ts";
import type { Session } from "./session.ts";

/** A scalar per grid node, from which surfaces are cut and coloured. */
export interface NodeScalar<Value = FieldValue> {
  readonly text: string;
  readonly value: Value;
  readonly statistics: Statistics;
  readonly notes: readonly string[];
  /**
   * Whether it was computed for this, and is no field of the session; or, where fields live, its range has to be taken anew from time
   * to time.
   */
  readonly isComputed: boolean;
  /** Frees what was computed for it; fields of the session stay. */
  release(): void;
}

/** Small integers on the GPU in their stored type. */
export interface StoredValue {
  readonly kind: "stored";
  readonly field: CompactField;
}

/** A source of a session on the device, in the form that the scalar's use needs. */
type FindSource<Value> = (session: Session, name: string, job: JobContext) => Promise<Value>;

/**
 * Evaluates a text whose last value is a scalar field, moved to the nodes where it lives in cells (noted).
 * A scalar field of the session that lies on nodes already is used as it is.
 * Throws what compiling and evaluating throw, and TypeError for vectors, tensors and constants.
 */
export function nodeScalar(session: Session, text: string, job: JobContext): Promise<NodeScalar> {
  return scalarOf(session, text, job, sessionValue);
}

/** The same for a surface's own field: small integers of the session are used in their stored type. */
export function shapeScalar(
  session: Session,
  text: string,
  job: JobContext,
): Promise<NodeScalar<FieldValue | StoredValue>> {
  return scalarOf(session, text, job, async (session, name, job) => {
    const field = await session.compactField(name, job);
    return field ? { kind: "stored", field } : sessionValue(session, name, job);
  });
}

async function scalarOf<Value>(
  session: Session,
  text: string,
  job: JobContext,
  findSource: FindSource<Value>,
): Promise<NodeScalar<FieldValue | Value>> {
  session.requireValues();
  const name = valueStatements(parseProgram(text)).at(-1)?.name ?? resultName;
  const network = await session.compile(text, { outputs: [name] });
  const last = network.nodes[network.outputs[0].node];
  requireScalar(text, last.type.value, last.type.placement);
  if (
    last.kind === "source" &&
    last.type.placement === "node" &&
    isWhole(session, last.field, last.component)
  ) {
    const { field } = last;
    const value = await findSource(session, field, job);
    const statistics = session.statisticsOf(field);
    const isComputed = session.data.lattice?.hasRange(field) === false;
    return { text, value, statistics, notes: network.notes, isComputed, release: () => {} };
  }
  const isCell = last.type.placement === "cell";
  const onNodes = isCell ? await session.compile(text, { outputs: [name], centering: "node" }) : network;
  const { values } = await session.evaluate(onNodes, [name], job);
  const value = values.get(name)!;
  try {
    const statistics = await session.statistics(value);
    const notes = isCell
      ? [
          ...network.notes,
          `${withoutQuotes(text)} is cell-centred; it is averaged to the nodes, which narrows its range.`,
        ]
      : network.notes;
    return { text, value, statistics, notes, isComputed: true, release: () => releaseValue(value) };
  } catch (error) {
    releaseValue(value);
    throw error;
  }
}

function requireScalar(
  text: string,
  value: Network["nodes"][number]["type"]["value"],
  placement: string,
): void {
  if (placement === "constant") {
    const what = value === "scalar" || value === "bool" ? "one number" : `a ${describeType(value)}`;
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${text}” is ${what}${value === "histogram" ? "" : " everywhere"}, not a field.`,
      remedy: value === "histogram" ? "Take the field that it counts." : "Use a field in it.",
    });
  }
  if (value !== "scalar" && value !== "bool") {
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${text}” is a ${describeType(value)} where a scalar is needed.`,
      remedy: value === "mat3" ? "Take a component of it." : `Take magnitude(${text}), or a component.`,
    });
  }
}

/** Whether a source is a whole field of one component. */
function isWhole(session: Session, name: string, component: number | undefined): boolean {
  return (
    component === undefined && session.signatures().find((field) => field.name === name)?.components === 1
  );
}

async function sessionValue(session: Session, name: string, job: JobContext): Promise<FieldValue> {
  const { gpu } = session.device;
  if (gpu) return { kind: "gpu", field: await session.gpuField(gpu, name, job) };
  return { kind: "host", field: await session.hostField(name, job) };
}
