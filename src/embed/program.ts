import { CrinkleError } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import { nearestName } from "../core/names.ts";
import { compile } from "../lang/expression/compile.ts";
import { isDataflowNetwork } from "../lang/expression/network/dataflow.ts";
import type { FieldSignature, Network } from "../lang/expression/network/network.ts";
import { chosenOutputs } from "../lang/expression/plan/outputs.ts";
import { centeringOf } from "../lang/expression/plan/stages.ts";
import { resultStatements } from "../lang/expression/results.ts";
import { describeType } from "../lang/expression/types.ts";
import type { SurfaceInput } from "./api.ts";
import { requireSources } from "./networks.ts";
import type { Settings } from "./read-options.ts";
import { badArgument, shown } from "./refusal.ts";

/** A compiled text with the names of the statements that are wanted of it. */
export interface Program {
  readonly network: Network;
  /** What the caller gets. */
  readonly outputs: readonly string[];
  /** What is computed: the outputs, and what a surface needs. */
  readonly computed: readonly string[];
}

/** Of a text, or of a network made by hand. Throws BadArgument, SyntaxError, UnknownName, TypeError. */
export function compileProgram(
  source: unknown,
  fields: readonly FieldSignature[],
  { outputs: wanted, surface, onEvent }: Settings,
): Program {
  const { names, steps, build } = readSource(source, fields);
  const cut = surfaceNames(surface);
  const outputs = wanted ?? names.filter((name) => !cut.includes(name));
  const computed = [...new Set([...outputs, ...cut])];
  // A text without a value is the compiler's to refuse.
  if (names.length > 0) {
    if (computed.length === 0)
      throw badArgument("The option outputs is empty.", "Name a statement, or leave it out.");
    for (const name of computed) requireStatement(name, [...names, ...steps]);
  }
  const network = build(computed);
  if (surface) for (const name of cut) requireNodeScalar(network, name);
  for (const note of network.notes) onEvent({ kind: "note", text: note });
  return { network, outputs, computed };
}

interface Source {
  /** Of the values that are results where no others are asked for. */
  readonly names: readonly string[];
  /** Of those that others build on. */
  readonly steps: readonly string[];
  build(outputs: readonly string[]): Network;
}

function readSource(source: unknown, fields: readonly FieldSignature[]): Source {
  if (isDataflowNetwork(source)) {
    const whole = source.build();
    requireSources(source, whole, fields);
    const names = whole.outputs.map(({ name }) => name);
    return { names, steps: [], build: (outputs) => source.build({ outputs }) };
  }
  if (typeof source !== "string") {
    throw badArgument(
      `The expression is ${shown(source)}.`,
      "Give its text, or a network that createNetwork made.",
    );
  }
  const { results, steps } = resultStatements(source);
  const names = results.map(({ name }) => name);
  return { names, steps, build: (outputs) => compile(source, fields, { outputs }) };
}

/** Progress as the caller hears of it. */
export function jobOf({ signal, onEvent }: Settings): JobContext {
  return { signal, progress: (fraction, step) => onEvent({ kind: "progress", fraction, step }) };
}

const surfaceNames = (surface: SurfaceInput | undefined): string[] =>
  surface ? [surface.field, ...(surface.colorBy === undefined ? [] : [surface.colorBy])] : [];

function requireStatement(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const close = nearestName(name, names);
  throw new CrinkleError({
    tag: "UnknownName",
    problem: `No statement of the expression is called “${name}”.`,
    remedy: close ? `Did you mean “${close}”?` : `It has ${names.map((one) => `“${one}”`).join(", ")}.`,
  });
}

function requireNodeScalar(network: Network, name: string): void {
  const [{ node: id }] = chosenOutputs(network, [name]);
  const node = network.nodes[id];
  const { value, placement } = node.type;
  if (placement === "constant") {
    throw badArgument(
      `“${name}” is the same everywhere; a surface is cut from a scalar that varies.`,
      "Use a field in it.",
    );
  }
  if (value !== "scalar" && value !== "bool") {
    throw badArgument(
      `“${name}” is a ${describeType(value)}; a surface is cut from a scalar.`,
      value === "mat3" ? "Take a component of it." : `Take magnitude(${name}), or a component.`,
    );
  }
  if (centeringOf(node) === "cell") {
    throw badArgument(
      `“${name}” lives in cells; a surface is cut from values at the nodes.`,
      `Use recenter(${name}).`,
    );
  }
}
