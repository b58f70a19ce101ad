/** shift, flip and transpose: functions whose arguments behind the first say where values go. */
import type { FilterDoc } from "../filters/filter.ts";
import { movedName } from "../filters/moved.ts";
import { exchangeOf, flipOf, isShift, shiftBy } from "../filters/moves.ts";
import type { NodeId } from "../network/network.ts";
import { located } from "../syntax/located.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import type { Evaluation } from "./forms.ts";

const group = "Layouts";

export const moveDocs: readonly (readonly [string, FilterDoc])[] = [
  [
    "shift",
    {
      signature: "shift(f, by)",
      summary:
        "The values moved by whole nodes or cells along x, y and z; what leaves on one side comes in on the other. by is a vector of whole numbers.",
      formula: "out[(i + by) mod L] = f[i]",
      example: "shift(p, {1, 0, 0})",
      group,
    },
  ],
  [
    "flip",
    {
      signature: "flip(f, x)",
      summary:
        "The values in the opposite order along the axes that are named: one or several of x, y and z.",
      formula: "out[L - 1 - i] = f[i]",
      example: "flip(p, x, y)",
      group,
    },
  ],
];

const axisLists: Readonly<Record<string, { readonly signature: string; readonly example: string }>> = {
  flip: { signature: "flip(f, x)", example: "flip(p, x, y)" },
  transpose: { signature: "transpose(f, x, y)", example: "transpose(p, x, y)" },
};

/** Whether a call moves values: a transpose with one argument is a tensor's. */
export const isMoveOfValues = ({ callee, args }: Call): boolean =>
  callee === "shift" || callee === "flip" || (callee === "transpose" && args.length > 1);

/** Whether argument `index` of a call is the name of an axis. */
export const namesAxis = ({ callee }: Call, index: number): boolean =>
  index > 0 && Object.hasOwn(axisLists, callee);

/** Throws TypeError. */
export function lowerMove(checker: Evaluation, call: Call): NodeId {
  const { callee, args, span } = call;
  const move = callee === "shift" ? shiftOf(checker, call) : axesMove(call);
  return checker.network.apply(movedName(move), [checker.evaluate(args[0])], span);
}

function shiftOf(checker: Evaluation, { args, span }: Call) {
  const distances = args.length === 2 ? checker.network.constantOf(checker.evaluate(args[1])) : undefined;
  if (distances && (distances.length === 2 || distances.length === 3) && distances.every(isShift))
    return shiftBy(distances);
  throw located(
    "TypeError",
    args[1]?.span ?? span,
    "“shift(f, by)” takes a field and the whole numbers of places by which it moves along x, y and z",
    "For example: shift(p, {1, 0, 0}).",
  );
}

function axesMove({ callee, args, span }: Call) {
  const { signature, example } = axisLists[callee];
  const named = args.slice(1).map((argument) => axisNamed(argument, signature, example));
  if (callee === "flip" && named.length > 0) return flipOf(named);
  const [a, b] = named;
  if (callee === "transpose" && named.length === 2 && a !== b) return exchangeOf(a, b);
  throw located(
    "TypeError",
    span,
    `“${signature}” takes a field and ${callee === "flip" ? "at least one axis" : "two different axes"}`,
    `For example: ${example}.`,
  );
}

function axisNamed(argument: Expression, signature: string, example: string): number {
  const axis = argument.kind === "name" ? ["x", "y", "z"].indexOf(argument.name) : -1;
  if (axis >= 0) return axis;
  throw located(
    "TypeError",
    argument.span,
    `The axes of “${signature}” are x, y and z`,
    `For example: ${example}.`,
  );
}
