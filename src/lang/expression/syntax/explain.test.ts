import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { parse, parseProgram } from "./parse.ts";
import { valueStatements } from "./tree.ts";

/** Messages, each with the text it underlines. */
const errorsOf = (text: string) =>
  parse(text).errors.map(({ tag, message, span }) => {
    expect(tag).toBe("SyntaxError");
    return [message, text.slice(span?.from, span?.to)];
  });

describe("syntax errors", () => {
  it.each([
    ["a = (b + c", "A closing ) is missing for the ( at line 1, column 5.", "("],
    [
      "f(a) = a",
      "Here = cannot assign: it follows the name at the start of a statement (line 1, column 6). Compare with ==, or define a function with def name(a, b) = expression.",
      "=",
    ],
    [
      "def f = 3",
      "The definition of a function cannot go on with “=” after “f” (line 1, column 7). Write def name(a, b) = expression.",
      "=",
    ],
    [
      "def f(a",
      "The definition of a function cannot end after “a” (line 1, column 7). Write def name(a, b) = expression.",
      "a",
    ],
    [
      "def f(a, 2) = a",
      "The definition of a function cannot go on with “2” after “,” (line 1, column 10). Write def name(a, b) = expression.",
      "2",
    ],
    [
      "def f(if) = 3",
      '“if” is a word of the language and cannot be a name as it stands (line 1, column 7). Put it in quotes: "if".',
      "if",
    ],
    [
      "def if(a) = a",
      "“if” is a word of the language and cannot be a function's name (line 1, column 5). Take another one.",
      "if",
    ],
    [
      "def = 3",
      '“def” is a word of the language and cannot be a name as it stands (line 1, column 1). Put it in quotes: "def".',
      "def",
    ],
    ["def f(a) =", "An expression is expected after “=” (line 1, column 10).", "="],
    ["b = (1 +\ndef f(a) = a", "An expression is expected after “+” (line 1, column 8).", "+"],
    ["a = f(b, {c, d)", ") closes the { at line 1, column 10. Close it with }.", "{"],
    ["v[0", "A closing ] is missing for the [ at line 1, column 2.", "["],
    ["a = b)", "There is no opening bracket for this ) (line 1, column 6).", ")"],
    ["a = b +", "An expression is expected after “+” (line 1, column 7).", "+"],
    [
      "a = b and and c",
      "An expression is expected after “and”, but “and” was found (line 1, column 11).",
      "and",
    ],
    ["def\n  not b", "“not” cannot follow “def” (line 2, column 3).", "not"],
    ["a = (or b)", "An expression is expected after “(”, but “or” was found (line 1, column 6).", "or"],
    ["and b", "A statement cannot start with “and” (line 1, column 1). Write name = expression.", "and"],
    ["a = b + * c", "An expression is expected after “+”, but “*” was found (line 1, column 9).", "*"],
    ["a = ", "An expression is expected after “=” (line 1, column 3).", "="],
    ["a = f(b, )", "An expression is expected after “,”, but “)” was found (line 1, column 10).", ")"],
    ["a = {}", "An expression is expected after “{”, but “}” was found (line 1, column 6).", "}"],
    ["* 2", "A statement cannot start with “*” (line 1, column 1). Write name = expression.", "*"],
    ["a = v\n[0]", "A statement cannot start with “[” (line 2, column 1). Write name = expression.", "["],
    ["a = 2u", "An operator is expected between “2” and “u” (line 1, column 6). Multiply with *: 2*u.", "u"],
    [
      "a = X Velocity * 2",
      'An operator is expected between “X” and “Velocity” (line 1, column 7). A name with a space is written in quotes: "X Velocity".',
      "Velocity",
    ],
    ["a = (b) c", "An operator is expected between “)” and “c” (line 1, column 9).", "c"],
    [
      "a = if b then c",
      "else is missing for the then at line 1, column 10. Write if condition then value else value.",
      "then",
    ],
    [
      "a = if b > 2; c = 1",
      "then is missing for the if at line 1, column 5. Write if condition then value else value.",
      "if",
    ],
    [
      "a = f(if b, c)",
      "then is missing for the if at line 1, column 7. Write if condition then value else value.",
      "if",
    ],
    ["a = if(b, c, d) else e", "There is no if for this else (line 1, column 17).", "else"],
    [
      "a = (b = c)",
      "Here = cannot assign: it follows the name at the start of a statement (line 1, column 8). Compare with ==.",
      "=",
    ],
    [
      "a = b, c",
      "A comma has no meaning outside brackets (line 1, column 6). Write a vector as {a, b, c}.",
      ",",
    ],
    [
      "a = (b, c)",
      "Parentheses without a function's name hold one value (line 1, column 7). Write a vector as {a, b, c}.",
      ",",
    ],
    [
      "then = 1",
      '“then” is a word of the language and cannot be a name as it stands (line 1, column 1). Put it in quotes: "then".',
      "then",
    ],
    [
      "if = 1",
      '“if” is a word of the language and cannot be a name as it stands (line 1, column 1). Put it in quotes: "if".',
      "if",
    ],
    [
      'a = "X Velocity',
      'The quoted name that starts here has no closing quote (line 1, column 5). Add a ".',
      '"X Velocity',
    ],
    [
      "a = v.x",
      "The character . has no meaning here (line 1, column 6). Take a component by its index: v[0].",
      ".",
    ],
    ["a = 2 × b", "The character × has no meaning here (line 1, column 7). Multiply with *.", "×"],
    [
      "a = “X Velocity”",
      'The character “ has no meaning here (line 1, column 5). Names are quoted with the straight ": "X Velocity".',
      "“",
    ],
    ["a = b \\ c", "The character \\ has no meaning here (line 1, column 7). Divide with /.", "\\"],
    ["a = b | c", "The character | has no meaning here (line 1, column 7). Write or, or ||.", "|"],
    [
      "a\nb = 1",
      "Only the last statement can do without a name (line 1, column 1). Write name = in front of it, or end the line above it with an operator.",
      "a",
    ],
  ])("%s", (text, message, underlined) => {
    expect(errorsOf(text)).toEqual([[message, underlined]]);
  });

  it("name the line that lacks something, not the next one", () => {
    expect(errorsOf("a = b +\nc = 2")).toEqual([
      ["An expression is expected after “+” (line 1, column 7).", "+"],
    ]);
    expect(errorsOf("a = (b + c\nd = 2")).toEqual([
      ["A closing ) is missing for the ( at line 1, column 5.", "("],
    ]);
    expect(errorsOf("a = if b then\nc = 2")).toEqual([
      ["An expression is expected after “then” (line 1, column 10).", "then"],
    ]);
  });

  it("are all found", () => {
    expect(errorsOf("a = (1\nb = 2 +\nc = 3; d = ]; e = 4\nf = 5 6").map(([message]) => message)).toEqual([
      "A closing ) is missing for the ( at line 1, column 5.",
      "An expression is expected after “+” (line 2, column 7).",
      "An expression is expected after “=”, but “]” was found (line 3, column 12).",
      "An operator is expected between “5” and “6” (line 4, column 7).",
    ]);
  });

  it("leave the other statements readable", () => {
    const { program } = parse("a = (1\nb = 2 +\nc = 3; d = ]; e = 4");
    expect(valueStatements(program).map(({ name, value }) => [name, value?.kind])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", "number"],
      ["d", undefined],
      ["e", "number"],
    ]);
  });

  it("report expressions nested too deeply", () => {
    for (const text of [
      `${"-".repeat(600)}a`,
      "(".repeat(20000),
      `${"f(".repeat(3000)}a${")".repeat(3000)}`,
    ]) {
      expect(parse(text).errors[0].message).toMatch(/nests more than 500 levels deep/);
    }
    const sum = Array.from({ length: 400 }, () => "a").join(" + ");
    expect(parse(sum).errors).toEqual([]);
  });

  it("are thrown, the first one", () => {
    const attempt = () => parseProgram("a = 1\nb = (2\nc = ]");
    expect(attempt).toThrow(CrinkleError);
    expect(attempt).toThrow("A closing ) is missing for the ( at line 2, column 5.");
  });
});
