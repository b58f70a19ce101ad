import { CrinkleError, type ErrorTag, type Span } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import { analyze } from "../editor/analyze.ts";
import { completionsAt } from "../editor/complete.ts";
import { hoverAt } from "../editor/hover.ts";
import { createNetwork } from "../network/dataflow.ts";
import { toDot } from "../network/dot.ts";
import { layoutNetwork } from "../network/layout.ts";
import type { FieldSignature, Network } from "../network/network.ts";
import { toScript } from "../network/script.ts";
import { resultStatements } from "../results.ts";
import { maxDepth } from "../syntax/depth.ts";
import { parse } from "../syntax/parse.ts";
import { printProgram } from "../syntax/print.ts";
import { valueStatements } from "../syntax/tree.ts";

const fields: readonly FieldSignature[] = [
  { name: "u", components: 1, centering: "node" },
  { name: "v", components: 1, centering: "node" },
  { name: "velocity", components: 3, centering: "node" },
  { name: "J", components: 9, centering: "node" },
  { name: "stress", components: 6, centering: "node" },
  { name: "p", components: 1, centering: "cell" },
  { name: "X Velocity", components: 1, centering: "cell" },
];

const tags: ReadonlySet<ErrorTag> = new Set(["SyntaxError", "TypeError", "UnknownName", "TooLarge"]);

/**
 * Holds all that reads texts to one text, whatever it is: it compiles, or there is a CrinkleError whose places are in
 * the text and which the editor shows too; nothing else is thrown. What compiles prints and rebuilds as it is. Throws
 * what is wrong. `position` is where an editor's cursor is.
 */
export function checkText(text: string, position: number): "compiles" | "is refused" {
  completionsAt(text, position, { fields }, true);
  hoverAt(text, position, { fields });
  const { diagnostics } = analyze(text, { fields });
  for (const { from, to } of diagnostics) {
    demand(from >= 0 && from <= to && to <= text.length, `a diagnostic is at ${from} to ${to}`);
  }
  const { program, errors } = parse(text);
  const outcome = compiled(text);
  if (outcome instanceof CrinkleError) {
    checkError(outcome, text);
    const isShown = diagnostics.some(({ message }) => message === outcome.message);
    demand(
      isShown || (diagnostics.length === 0 && valueStatements(program).length === 0),
      `the editor does not show “${outcome.message}”`,
    );
  } else {
    demand(diagnostics.length === 0, `it compiles, but “${diagnostics[0]?.message}” is shown`);
    checkNetwork(outcome);
  }
  if (errors.length === 0) {
    demand(
      valueStatements(program).every(({ value }) => value),
      "a statement has neither value nor error",
    );
    resultStatements(text);
    const printed = printProgram(program);
    const again = parse(printed);
    demand(again.errors.length === 0, `it prints as “${printed}”, which has errors`);
    demand(printProgram(again.program) === printed, `it prints as “${printed}”, which prints otherwise`);
  }
  return outcome instanceof CrinkleError ? "is refused" : "compiles";
}

function compiled(text: string): Network | CrinkleError {
  try {
    return compile(text, fields);
  } catch (error) {
    if (error instanceof CrinkleError) return error;
    throw error;
  }
}

function checkError({ tag, message, span, related }: CrinkleError, text: string): void {
  demand(
    !message.includes("levels deep") || tag !== "SyntaxError" || text.length > maxDepth,
    `“${message}” is said of a text that nests less`,
  );
  demand(tags.has(tag), `the error is a ${tag}: ${message}`);
  demand(message !== "", "the error says nothing");
  for (const place of [...(span ? [span] : []), ...related]) checkSpan(place, text);
}

function checkSpan({ from, to, line, column }: Span, text: string): void {
  demand(from >= 0 && from <= to && to <= text.length, `an error is at ${from} to ${to}`);
  const lines = text.slice(0, from).split("\n");
  demand(
    line === lines.length && column === lines[lines.length - 1].length + 1,
    `offset ${from} is said to be line ${line}, column ${column}`,
  );
}

/** A network is in topological order, can be drawn, and is rebuilt by its script. */
function checkNetwork(network: Network): void {
  network.nodes.forEach((node, id) => {
    const isLater = "inputs" in node && node.inputs.some((input) => input >= id);
    demand(!isLater, `node ${id} comes before its inputs`);
  });
  toDot(network);
  layoutNetwork(network);
  const make = new Function("createNetwork", "fields", `${toScript(network)}return network.build();`);
  const rebuilt: Network = make(createNetwork, fields);
  demand(rebuilt.nodes.length === network.nodes.length, "its script builds another network");
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
