import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import { analyze } from "../editor/analyze.ts";
import { parse, parseProgram } from "./parse.ts";
import { printExpression, printProgram } from "./print.ts";
import { keywords } from "./quoting.ts";
import { type BinaryOperator, type Expression, valueStatements } from "./tree.ts";

const span = { from: 0, to: 0, line: 1, column: 1 };
const operators: BinaryOperator[] = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "^",
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
  "and",
  "or",
];

const identifier = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/).filter((name) => !keywords.has(name));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc
      .double({ min: 0, noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ kind: "number", value, span }) as const),
    identifier.map((name) => ({ kind: "name", name, quoted: false, span }) as const),
    fc
      .string({ maxLength: 6 })
      .map((name) => ({ kind: "name", name: name.replace(/\n/g, ""), quoted: true, span }) as const),
    fc.record({
      kind: fc.constant("unary" as const),
      operator: fc.constantFrom("-" as const, "not" as const),
      operand: tie("expression"),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant("binary" as const),
      operator: fc.constantFrom(...operators),
      left: tie("expression"),
      right: tie("expression"),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant("conditional" as const),
      condition: tie("expression"),
      consequent: tie("expression"),
      alternative: tie("expression"),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant("call" as const),
      callee: identifier,
      calleeSpan: fc.constant(span),
      args: fc.array(tie("expression"), { maxLength: 3 }),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant("index" as const),
      target: tie("expression"),
      index: tie("expression"),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant("vector" as const),
      elements: fc.array(tie("expression"), { minLength: 1, maxLength: 3 }),
      span: fc.constant(span),
    }),
  ),
}));

/** The tree without the places of its parts. */
const shape = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (/span$/i.test(key) ? undefined : value)));

function messageOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("printing", () => {
  it("gives text that reads back as the same tree", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        const [statement] = valueStatements(parseProgram(printExpression(tree)));
        expect(shape(statement.value)).toEqual(shape(tree));
      }),
      { numRuns: 500 },
    );
  });

  it("uses no parentheses that are not needed", () => {
    const text =
      'q = -(a + b)^2 * c[0] / (d / e) - 2^-1\n"two words" = not a and (b or c) == d\nif a then b else f({a, b})';
    expect(printProgram(parseProgram(text))).toBe(text);
  });
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    ...[
      "a",
      "u",
      "vectors",
      "curl",
      "constructor",
      "grad3d",
      "dims",
      "1",
      "2.5e3",
      ".",
      '"',
      "'",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      ",",
    ],
    ...[
      "+",
      "-",
      "*",
      "/",
      "^",
      "**",
      "%",
      "<",
      "<=",
      "==",
      "!=",
      "!",
      "=",
      "&&",
      "|",
      "and",
      "or",
      "not",
      "if",
      "def ",
      "def f(",
      "def f(a) = ",
      "f(",
    ],
    ...["then", "else", "\n", ";", " ", "# c\n", "é", "😀", "²", "\\", "\r\n"],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((list) => list.join("")),
    fc.string(),
    fc.string({ unit: "binary" }),
  );
  const fields = [
    { name: "u", components: 1, centering: "node" },
    { name: "vectors", components: 3, centering: "cell" },
  ] as const;

  it("compiles or throws a CrinkleError with a place in the text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          compile(text, fields);
        } catch (error) {
          if (!(error instanceof CrinkleError)) throw error;
          expect(["SyntaxError", "TypeError", "UnknownName", "TooLarge"]).toContain(error.tag);
          if (error.span) expect(error.span.to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is analysed without throwing, and has diagnostics exactly where it does not compile", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { diagnostics } = analyze(text, { fields });
        const isEmpty = valueStatements(parse(text).program).length === 0;
        if (isEmpty && diagnostics.length === 0) return;
        if (diagnostics.length === 0) compile(text, fields);
        else
          expect(diagnostics.map(({ message }) => message)).toContain(messageOf(() => compile(text, fields)));
      }),
      { numRuns: 1000 },
    );
  });
});
