import type { Centering } from "../../../core/grid.ts";
import type { NetworkBuilder } from "../network/builder.ts";
import type { NodeId } from "../network/network.ts";
import { located } from "../syntax/located.ts";
import type { Call, Expression } from "../syntax/tree.ts";

/** What the forms need of the checker. */
export interface Evaluation {
  readonly network: NetworkBuilder;
  evaluate(expression: Expression): NodeId;
  /** Whether a statement before this one defines the name. */
  isDefined(name: string): boolean;
}

/**
 * `grad3d(f, dims, x, y, z)` (seed 001, Figure 3): the gradient of f on the data set's own grid, which is what dims, x,
 * y and z must name.
 */
export function lowerGrad3d(checker: Evaluation, { args, span }: Call): NodeId {
  if (args.length !== 5 && args.length !== 1) {
    throw located(
      "TypeError",
      span,
      `“grad3d(f, dims, x, y, z)” takes 5 arguments, but was given ${args.length}`,
      "gradient(f) is the same.",
    );
  }
  const [value, dims, ...axes] = args;
  if (dims && !isName(dims, "dims")) throw notTheGrids(dims, "second", "dims");
  axes.forEach((axis, i) => {
    checkAxis(checker, axis, i);
  });
  return checker.network.apply("gradient", [checker.evaluate(value)], span);
}

/** A coordinate argument is the grid's own coordinate, or a field of that name, which then stands for it. */
function checkAxis(checker: Evaluation, argument: Expression, axis: number): void {
  const name = "xyz"[axis];
  const node = checker.evaluate(argument);
  const { network } = checker;
  const own = (["node", "cell"] as const).map((at) => network.component(network.coordinates(at), axis));
  if (own.includes(node)) return;
  const isField = isName(argument, name) && !checker.isDefined(name);
  if (!isField || network.typeOf(node).value !== "scalar") {
    throw notTheGrids(argument, ["third", "fourth", "fifth"][axis], name);
  }
  network.note(`grad3d takes the grid's own coordinates for the field “${name}”.`);
}

function notTheGrids(argument: Expression, position: string, name: string) {
  return located(
    "TypeError",
    argument.span,
    `The ${position} argument of “grad3d(f, dims, x, y, z)” must be ${name}`,
    "Derivatives are taken on the data set's own grid; gradient(f) says the same in short.",
  );
}

function isName(expression: Expression, name: string): boolean {
  return expression.kind === "name" && expression.name === name;
}

/** Whether argument `index` of a call is a word such as "node" and no value. */
export function isWordArgument({ callee }: Call, index: number): boolean {
  return callee === "recenter" && index === 1;
}

const centerings: ReadonlyMap<string, Centering> = new Map([
  ["node", "node"],
  ["nodal", "node"],
  ["point", "node"],
  ["cell", "cell"],
  ["zonal", "cell"],
]);

/** `recenter(f)` moves to the other centring; `recenter(f, "node")` and `recenter(f, "cell")` say where to. */
export function lowerRecenter(checker: Evaluation, { args, span }: Call): NodeId {
  if (args.length !== 1 && args.length !== 2) {
    throw located(
      "TypeError",
      span,
      `“recenter(f)” takes 1 or 2 arguments, but was given ${args.length}`,
      'For example: recenter(p), recenter(p, "node").',
    );
  }
  const [value, where] = args;
  const node = checker.evaluate(value);
  if (!where) return checker.network.apply("recenter", [node], span);
  const to = where.kind === "name" ? centerings.get(where.name) : undefined;
  if (!to)
    throw located(
      "TypeError",
      where.span,
      'The second argument of “recenter(f, where)” must be "node" or "cell"',
    );
  return checker.network.recenter(node, to, span);
}
