import { describe, expect, it } from "vitest";
import { parseProgram } from "./parse.ts";
import { type Expression, valueStatements } from "./tree.ts";

/** Trees in prefix form, every operation in parentheses. */
function show(expression: Expression | undefined): string {
  switch (expression?.kind) {
    case undefined:
      return "?";
    case "number":
      return String(expression.value);
    case "name":
      return expression.quoted ? `"${expression.name}"` : expression.name;
    case "unary":
      return `(${expression.operator} ${show(expression.operand)})`;
    case "binary":
      return `(${expression.operator} ${show(expression.left)} ${show(expression.right)})`;
    case "conditional":
      return `(if ${show(expression.condition)} ${show(expression.consequent)} ${show(expression.alternative)})`;
    case "call":
      return `(${[expression.callee, ...expression.args.map(show)].join(" ")})`;
    case "index":
      return `(at ${show(expression.target)} ${show(expression.index)})`;
    case "vector":
      return `{${expression.elements.map(show).join(" ")}}`;
  }
}

const statements = (text: string) =>
  valueStatements(parseProgram(text)).map(({ name, value }) => `${name}: ${show(value)}`);
const tree = (text: string) => show(valueStatements(parseProgram(text))[0].value);

describe("precedence", () => {
  it.each([
    ["a + b * c", "(+ a (* b c))"],
    ["a - b - c", "(- (- a b) c)"],
    ["a-1", "(- a 1)"],
    ["a / b * c % d", "(% (* (/ a b) c) d)"],
    ["-2^2", "(- (^ 2 2))"],
    ["2^3^2", "(^ 2 (^ 3 2))"],
    ["2^-1", "(^ 2 (- 1))"],
    ["2^-1^2", "(^ 2 (- (^ 1 2)))"],
    ["2^-a*b", "(* (^ 2 (- a)) b)"],
    ["-a*b", "(* (- a) b)"],
    ["-a[0]^2", "(- (^ (at a 0) 2))"],
    ["--a", "(- (- a))"],
    ["a**2", "(^ a 2)"],
    ["(a + b) * c", "(* (+ a b) c)"],
    ["a + b < c * d", "(< (+ a b) (* c d))"],
    ["a < b and c >= d or e != f", "(or (and (< a b) (>= c d)) (!= e f))"],
    ["not a == b and c", "(and (not (== a b)) c)"],
    ["not not a", "(not (not a))"],
    ["a && !b || c & d", "(or (and a (not b)) (and c d))"],
    ["1 + if a then b else c + 2", "(+ 1 (if a b (+ c 2)))"],
    ["if a then b else if c then d else e", "(if a b (if c d e))"],
    ["if a then if b then 1 else 2 else 3", "(if a (if b 1 2) 3)"],
    ["if (a) then b else c", "(if a b c)"],
    ["a + not b == c", "(+ a (not (== b c)))"],
  ])("%s", (text, expected) => {
    expect(tree(text)).toBe(expected);
  });
});

describe("forms", () => {
  it.each([
    ["1", "1"],
    [".5", "0.5"],
    ["1.", "1"],
    ["1e-3", "0.001"],
    ["1.5E+2", "150"],
    ['"X Velocity" + 1', '(+ "X Velocity" 1)'],
    [String.raw`"a \"b\" \\ c"`, String.raw`"a "b" \ c"`],
    ["ω_z₁ * größe", "(* ω_z₁ größe)"],
    ["coords()", "(coords)"],
    ["atan2(y, x)", "(atan2 y x)"],
    ["f(g(a), {b, c})", "(f (g a) {b c})"],
    ["{a, b + 1, -c}", "{a (+ b 1) (- c)}"],
    ["J[1][2]", "(at (at J 1) 2)"],
    ["curl(v)[0]", "(at (curl v) 0)"],
    ["if(c, a, b)", "(if c a b)"],
    ["if(c, a, b) + 1", "(+ (if c a b) 1)"],
    ["if(and(gt(p,2.0),lt(p,4.0)),p,0.0)", "(if (and (gt p 2) (lt p 4)) p 0)"],
    ["or(a, not(b))", "(or a (not b))"],
    ["ifs + andy + not1 + thenx", "(+ (+ (+ ifs andy) not1) thenx)"],
  ])("%s", (text, expected) => {
    expect(tree(text)).toBe(expected);
  });
});

describe("statements", () => {
  it("are separated by line ends and semicolons", () => {
    expect(statements("a = 1; b = 2\n\n;\nc = a\r\nd = b;")).toEqual(["a: 1", "b: 2", "c: a", "d: b"]);
  });

  it("may have quoted names", () => {
    expect(statements('"my field" = 1')).toEqual(["my field: 1"]);
  });

  it("call the last value result where it has no name", () => {
    expect(statements("a = 1\na + 1")).toEqual(["a: 1", "result: (+ a 1)"]);
  });

  it("leave comments out", () => {
    expect(statements("# first\na = 1 # one; b = 2\n  # more\nb = a # + 1")).toEqual(["a: 1", "b: a"]);
  });

  it("may be none", () => {
    expect(statements("")).toEqual([]);
    expect(statements(" \n# nothing\n;\n")).toEqual([]);
  });

  it.each([
    ["after an operator", "a = b +\n c\nd = 1", ["a: (+ b c)", "d: 1"]],
    ["after = and a comment", "a = # why\n b", ["a: b"]],
    ["in brackets", "a = f(b\n , {c,\n d}[\n0])\nd = 1", ["a: (f b (at {c d} 0))", "d: 1"]],
    ["before an operator", "a = b\n  + c\n  - d\n\n  * e", ["a: (- (+ b c) (* d e))"]],
    [
      "before an indented -, not before one at the margin",
      "a = b\n - c\n-a",
      ["a: (- b c)", "result: (- a)"],
    ],
    ["before an operator behind a comment", "a = b # b\n# and c\n  and c", ["a: (and b c)"]],
    ["before !=, not before !", "a = b\n != c\n!d", ["a: (!= b c)", "result: (not d)"]],
    ["before then and else", "a = if b\n then c\n else d\ne = 1", ["a: (if b c d)", "e: 1"]],
    ["not before a name like one", "a = b\nandy = c\nelse_ = d", ["a: b", "andy: c", "else_: d"]],
    ["not before a bracket", "a = b\n(c)", ["a: b", "result: c"]],
  ])("go on over a line end %s", (_, text, expected) => {
    expect(statements(text)).toEqual(expected);
  });

  it("know their places", () => {
    const [, second] = valueStatements(parseProgram("a = 1\n  bc = f(a) # x"));
    expect(second.nameSpan).toEqual({ from: 8, to: 10, line: 2, column: 3 });
    expect(second.value?.span).toEqual({ from: 13, to: 17, line: 2, column: 8 });
    expect(second.span).toEqual({ from: 8, to: 17, line: 2, column: 3 });
  });
});
