/**
 * Index maps (core/hypercube) in the kernels' representation: the source's index as a function of the result's, from which shaders
 * and loops are made. Divisions by powers of two become shifts and masks.
 */
import { isPowerOfTwo } from "../../core/hypercube/bits.ts";
import type { Condition } from "../../core/hypercube/index-map.ts";
import type { Atom, Linear } from "../../core/hypercube/linear.ts";
import { binary, builtin, constantVariable, literal, read } from "../build.ts";
import type { BinaryOperator, Expression, KernelFunction, KernelProgram, Variable } from "../ir.ts";
import { simplifyFunctions, simplifyKernel } from "../simplify/simplify.ts";
import { u32 } from "../types.ts";

/** The index that stands for zero: no array has so many elements. */
export const noSource = 2 ** 32 - 1;

/** An index of the source, and where there is none. */
export interface SourceIndex {
  readonly index: Linear;
  readonly conditions: readonly Condition[];
}

const word = (value: number) => literal(value % 2 ** 32, u32);
const operate = (operator: BinaryOperator, left: Expression, right: number): Expression =>
  binary(operator, left, word(right));

function times(x: Expression, factor: number): Expression {
  if (factor === 1) return x;
  return isPowerOfTwo(factor) ? operate("<<", x, Math.log2(factor)) : operate("*", x, factor);
}

/** The expression in u32, whose sums wrap around: what is subtracted comes last. */
function linearIr({ terms, constant }: Linear, at: readonly Expression[]): Expression {
  const parts = terms.map(({ factor, atom }) => ({
    isNegative: factor < 0,
    part: times(atomIr(atom, at), Math.abs(factor)),
  }));
  const [first, ...rest] = [
    ...parts.filter(({ isNegative }) => !isNegative),
    ...(constant === 0 ? [] : [{ isNegative: constant < 0, part: word(Math.abs(constant)) as Expression }]),
    ...parts.filter(({ isNegative }) => isNegative),
  ];
  if (!first) return word(0);
  const start = first.isNegative ? binary("-", word(0), first.part) : first.part;
  return rest.reduce((sum, { isNegative, part }) => binary(isNegative ? "-" : "+", sum, part), start);
}

function atomIr(atom: Atom, at: readonly Expression[]): Expression {
  if (atom.kind === "axis") return at[atom.axis];
  const of = linearIr(atom.of, at);
  switch (atom.kind) {
    case "quotient":
      return isPowerOfTwo(atom.by) ? operate(">>", of, Math.log2(atom.by)) : operate("/", of, atom.by);
    case "remainder":
      return isPowerOfTwo(atom.by) ? operate("&", of, atom.by - 1) : operate("%", of, atom.by);
    case "rotation": {
      const { by, length } = atom;
      if (isPowerOfTwo(length)) return operate("&", operate("+", of, by), length - 1);
      // The sum may be beyond 2³² where the rotated coordinate is not.
      const back = length - by;
      return builtin("select", [operate("+", of, by), operate("-", of, back), operate(">=", of, back)]);
    }
  }
}

/** The source's index, `noSource` where the conditions do not hold, with what the expressions' axes are. */
function sourceIr({ index, conditions }: SourceIndex, at: readonly Expression[]): Expression {
  const value = linearIr(index, at);
  if (conditions.length === 0) return value;
  const tests = conditions.map(({ of, first, end }) =>
    operate("<", operate("-", linearIr(of, at), first), end - first),
  );
  return builtin("select", [word(noSource), value, tests.reduce((all, test) => binary("&&", all, test))]);
}

/** `source_index(k)`, or the same by another name and of several coordinates, for shaders and kernel text. */
export function sourceFunction(
  source: SourceIndex,
  name = "source_index",
  coordinates: readonly string[] = ["k"],
): KernelFunction {
  const parameters = coordinates.map((coordinate): Variable => constantVariable(coordinate, u32));
  const value = sourceIr(
    source,
    parameters.map((parameter) => read(parameter)),
  );
  const callable: KernelFunction = {
    name,
    parameters,
    result: u32,
    body: [{ kind: "return", value }],
  };
  return simplifyFunctions([callable])[0];
}

/** A kernel over a row without inputs whose output `source` is the index at each element. */
export function sourceProgram(source: SourceIndex): KernelProgram {
  const value = sourceIr(source, [{ kind: "position", type: u32, which: "element" }]);
  return simplifyKernel({
    name: "source index",
    inputs: {},
    outputs: { source: { scalar: "u32" } },
    constants: {},
    structs: [],
    functions: [],
    body: [{ kind: "assign", target: { kind: "output", name: "source", type: u32 }, value }],
  });
}
