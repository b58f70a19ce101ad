import { describe, expect, it } from "vitest";
import { literal, read } from "./build.ts";
import { checkKernel } from "./check.ts";
import type { Expression, KernelProgram } from "./ir.ts";
import { Block, type Surroundings, spliceCall, spliceKernel } from "./splice.ts";
import { gridKernel } from "./testing/grid-kernel.ts";
import { printKernel } from "./testing/print.ts";
import { parseExpression, parseFunctions } from "./text/parse.ts";
import { f32 } from "./types.ts";

const host = gridKernel("");

/** The host kernel with the block as its body, which is checked. */
function printed(block: Block, functions: KernelProgram["functions"] = []): string {
  const kernel = { ...host, functions, body: block.statements };
  checkKernel(kernel);
  return printKernel(kernel);
}

const toResult = (block: Block, value: Expression): void => {
  block.statements.push({ kind: "assign", target: { kind: "output", name: "result", type: f32 }, value });
};

const itself: Surroundings = {
  load: (load) => load,
  constant: () => literal(3, f32),
  position: () => literal(1, f32),
};

/** A kernel over a grid that has the one output `result`. */
function spliced(text: string, into: Block, surroundings: Surroundings, prefix: string): Expression {
  const { outputs, ...kernel } = gridKernel(text);
  return spliceKernel({ ...kernel, outputs: { result: outputs.result } }, into, surroundings, prefix).result;
}

describe("a kernel written into a block", () => {
  it("has its own variables, and other reads in place of its own, however often it is written", () => {
    const block = new Block();
    const text = "var sum = own(); if (sum > 1) { sum += own(); } out.result = sum;";
    const asked: string[] = [];
    const surroundings: Surroundings = {
      ...itself,
      load: (_, into) => {
        asked.push(into === block ? "outside" : "inside");
        return into.let("read", literal(2, f32));
      },
    };
    const [a, b] = ["first", "second"].map((name) => spliced(text, block, surroundings, name));
    toResult(block, { kind: "binary", operator: "+", type: f32, left: a, right: b });
    expect(asked).toEqual(["outside", "inside", "outside", "inside"]);
    expect(printed(block)).toBe(`var sum: f32 = 2f;
if (sum > 1f) {
  sum = sum + 2f;
}
let first_result: f32 = sum;
var sum_2: f32 = 2f;
if (sum_2 > 1f) {
  sum_2 = sum_2 + 2f;
}
let second_result: f32 = sum_2;
out.result = first_result + second_result;
`);
  });

  it("sets a variable where an output is set in parts, or in branches", () => {
    const block = new Block();
    toResult(block, spliced("if (own() > 0) { out.result = 1; }", block, itself, "it"));
    expect(printed(block)).toBe(`var it_result: f32;
if (own() > 0f) {
  it_result = 1f;
}
out.result = it_result;
`);
  });

  it("must not return early", () => {
    const text = "if (own() > 0) { return; } out.result = 1;";
    expect(() => spliced(text, new Block(), itself, "it")).toThrow(/returns early/);
  });
});

describe("a call", () => {
  const argument = literal(4, f32);

  it("of straight-line code becomes it", () => {
    const block = new Block();
    const square = parseExpression("sqrt(x) * x", { x: f32 }, f32);
    toResult(block, spliceCall(square, [argument], block));
    expect(printed(block)).toBe("out.result = sqrt(4f) * 4f;\n");
  });

  it("of other code stays one", () => {
    const block = new Block();
    const text = "fn positive(x: f32) -> f32 { if (x > 0) { return x; } return 0; }";
    const { functions } = parseFunctions(text);
    toResult(block, spliceCall(functions[0], [argument], block));
    expect(printed(block, functions)).toContain("out.result = positive(4f);");
  });

  it("reads known values again", () => {
    const [outer, other] = [new Block(), new Block()];
    const value = outer.keep(
      "key",
      outer.let("kept", { kind: "unary", operator: "-", type: f32, operand: argument }),
    );
    expect(value).toEqual(read((value as Extract<Expression, { kind: "variable" }>).variable));
    expect(new Block(outer).known("key")).toBe(value);
    expect(other.known("key")).toBeUndefined();
  });
});
