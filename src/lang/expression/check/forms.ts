import type { Centering } from "../../../core/grid.ts";
import { findFilter } from "../filters/registry.ts";
import type { NetworkBuilder } from "../network/builder.ts";
import type { NodeId } from "../network/network.ts";
import { aritiesOf } from "../network/ports.ts";
import { located } from "../syntax/located.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { namesAxis } from "./moves.ts";

/** What the forms need from the checker. */
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

/** Whether argument `index` of a call is a word such as "node", or a mesh's name, rather than a value. */
export function isWordArgument(call: Call, index: number, isKnown: (name: string) => boolean): boolean {
  if (call.callee === "recenter") return index === 1;
  return namesAxis(call, index) || meshName(call, isKnown) !== undefined;
}

/** Whether VisIt gives the function a mesh: one that only depends on the grid. */
export function takesMeshName(callee: string): boolean {
  const filter = findFilter(callee);
  if (!filter || filter.internal || filter.doc.group !== "Mesh") return false;
  return Math.max(...aritiesOf(filter)) === 0;
}

/** The mesh's name in VisIt's `volume(mesh)` or `volume(<mesh>)`: any name without another meaning. */
export function meshName({ callee, args }: Call, isKnown: (name: string) => boolean): string | undefined {
  const [only] = args;
  if (args.length !== 1 || only.kind !== "name" || !takesMeshName(callee)) return undefined;
  return isKnown(only.name) ? undefined : only.name;
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
