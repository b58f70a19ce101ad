import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { elementLoop } from "../filters/element-loops.ts";
import { expectSameNetwork } from "../network/testing/same.ts";
import { parse } from "../syntax/parse.ts";
import { check } from "./check.ts";

const fields = [
  { name: "u", components: 1, centering: "node" },
  { name: "velocity", components: 3, centering: "node" },
] as const;

/** Expects the text with functions to compute what the text without them does. */
const expectSame = (text: string, inlined: string) =>
  expectSameNetwork(compile(text, fields), compile(inlined, fields));

/** Messages, each with the text it underlines and the other places that it speaks of. */
const errorsOf = (text: string) => {
  const { program, errors } = parse(text);
  expect(errors).toEqual([]);
  const at = (span?: { from: number; to: number }) => text.slice(span?.from, span?.to);
  return check(program, { fields }, elementLoop).errors.map(({ message, span, related }) =>
    [message, at(span), ...related.map(at)].join(" | "),
  );
};

describe("functions of the text", () => {
  it("mean what their bodies mean in the place of the call", () => {
    expectSame(
      "def speed(v) = sqrt(dot(v, v))\na = speed(2 * velocity)",
      "a = sqrt(dot(2 * velocity, 2 * velocity))",
    );
    expectSame("def three() = 3; a = u + three()", "a = u + 3");
    expectSame('def f("a b", c) = "a b" - c; a = f(u, 1)', "a = u - 1");
  });

  it("take arguments of any type", () => {
    expectSame("def twice(f) = 2 * f\na = twice(u); b = twice(velocity)", "a = 2 * u; b = 2 * velocity");
  });

  it("use those above", () => {
    expectSame(
      "def half(a) = a / 2; def mean(a, b) = half(a + b); r = mean(u, half(u))",
      "r = (u + u / 2) / 2",
    );
  });

  it("hide by a parameter the field, the statement and the coordinate of its name", () => {
    expectSame(
      "w = 5; def f(u, w, x) = u * w + x; a = f(velocity[0], u, 1)",
      "w = 5; a = velocity[0] * u + 1",
    );
    expectSame("def f(velocity) = velocity[1]; a = f({1, u, 2})", "a = u");
  });

  it("mean by other names what they mean where the definition stands", () => {
    expectSame(
      "k = 2; def f(a) = k * a + u; k = 3; u = 7; r = f(velocity[0]); v = 7",
      "k = 3; v = u; u = 7; r = 2 * velocity[0] + v; v = 7",
    );
    expectSame("def g(f) = grad3d(f, dims, x, y, z); a = g(u)", "a = gradient(u)");
    expectSame('def r(f) = recenter(f, "cell"); a = r(u)', 'a = recenter(u, "cell")');
  });

  it("may have the name of a function of the language, or of a value", () => {
    expectSame("def magnitude(v) = dot(v, v); a = magnitude(velocity)", "a = dot(velocity, velocity)");
    expectSame("f = 2; def f(a) = a * f; b = f(u)", "f = 2; b = u * 2");
  });

  it("leave nothing in the network where they are not called", () => {
    expectSame("def f(a) = curl(a); b = u", "b = u");
  });
});

describe("errors of functions", () => {
  it.each([
    [
      "def f(a) = f(a - 1)\nb = f(u)",
      "“f” calls itself (line 1, column 12). A function can only use those defined above it. | f",
    ],
    [
      "def f(a) = g(a); def h(a) = f(a); def g(a) = h(a) + 1\nb = f(u) + g(u)",
      "“f” calls itself: f → g → h → f (line 1, column 12). A function can only use those defined above it. | g",
    ],
    [
      "def f(a) = g(a); def g(a) = a",
      "The function “g” is only defined below, in line 1 (line 1, column 12). Move its definition above this line. | g",
    ],
    [
      "b = g(u)\ndef g(a) = a",
      "The function “g” is only defined below, in line 2 (line 1, column 5). Move its definition above this line. | g",
    ],
    [
      "def f(a, b) = a + b\nc = f(u)",
      "“f(a, b)” takes 2 arguments, but was given 1 (line 2, column 5). It is defined at line 1, column 5. | f(u)",
    ],
    [
      "def f(a, b) = a + b; def g(c) = f(c, c, c)",
      "“f(a, b)” takes 2 arguments, but was given 3 (line 1, column 33). It is defined at line 1, column 5. | f(c, c, c)",
    ],
    [
      "def f(a, a) = a",
      "Two parameters of “f” are called a (line 1, column 10). Give each a name of its own. | a",
    ],
    [
      "def f(speed) = 2 * sped",
      "There is no field “sped” (line 1, column 20). Did you mean speed? The fields are: u, velocity. Defined so far: speed. | sped",
    ],
    ["def f(a) = crul(a)", "There is no function “crul” (line 1, column 12). Did you mean curl? | crul"],
    [
      "def speed(a) = a; b = sped(u)",
      "There is no function “sped” (line 1, column 23). Did you mean speed? | sped",
    ],
    ["def f(a) = a; b = f + 1", "“f” is a function (line 1, column 19). Call it: f(a). | f"],
    [
      "def f(a) = dot(a, velocity)\nb = 1 + f(u)",
      "“dot(a, b)” was given a scalar and a vector (3) (line 1, column 12), in “f(a)”, called at line 2, column 9. It takes a vector (2) and a vector (2); or a vector (3) and a vector (3). | f(u) | dot(a, velocity)",
    ],
    [
      "def f(a) = curl(a); def g(a) = 2 * f(a)\nb = g(u)",
      "“curl(v)” was given a scalar (line 1, column 12), in “f(a)”, in “g(a)”, called at line 2, column 5. It takes a vector (3) or a vector (2). | g(u) | curl(a) | f(a)",
    ],
  ])("%s", (text, expected) => {
    expect(errorsOf(text)).toEqual([expected]);
  });

  it("are not repeated where they are called", () => {
    expect(errorsOf("def f(a) = b; def g(a) = f(a); c = f(u); d = g(u)")).toHaveLength(1);
    expect(errorsOf("a = b; def f(c) = a * c; d = f(u)")).toHaveLength(1);
  });

  it("name the limit where the calls of calls would not end in reasonable time", () => {
    const doubling = Array.from({ length: 30 }, (_, i) => `def f${i + 1}(a) = sin(f${i}(f${i}(a)))`).join(
      "\n",
    );
    expect(errorsOf(`def f0(a) = a + 1\n${doubling}\nb = f30(u)`).join()).toContain(
      "Written out, the calls of this text's functions have more than 100000 parts",
    );
  });

  it("name the limit where they nest too deeply for the stack", () => {
    const chain = Array.from({ length: 1000 }, (_, i) => `def f${i + 1}(a) = 1 + f${i}(2 * a)`).join("\n");
    expect(errorsOf(`def f0(a) = a + 1\n${chain}\nb = f1000(u)`).join()).toContain(
      "The functions that call each other nest more than 700 levels deep",
    );
  });
});
