import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { describeError } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import type { FieldSignature } from "../network/network.ts";
import { documentedFunctions } from "./documentation.ts";
import { functionReference } from "./testing/reference.ts";

const page = new URL("../../../../docs/expressions.md", import.meta.url);
const begin = "<!-- functions: begin -->\n";
const end = "<!-- functions: end -->";

describe("docs/expressions.md", () => {
  it("holds the functions as the filters document them (UPDATE_DOCS=1 rewrites it)", async () => {
    const text = await readFile(page, "utf8");
    const [before, rest] = text.split(begin);
    const [, after] = rest.split(end);
    const expected = `${before}${begin}\n${functionReference()}\n${end}${after}`;
    if (process.env.UPDATE_DOCS) await writeFile(page, expected);
    else expect(text).toBe(expected);
  });

  it("shows code that compiles", async () => {
    const text = await readFile(page, "utf8");
    const blocks = [...text.matchAll(/```crinkle\n(.*?)```/gs)].map(([, code]) => code);
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) compile(block, fields);
  });
});

describe("documentation", () => {
  it.each(documentedFunctions.map(({ name, doc }) => [name, doc.example]))(
    "of %s has an example that compiles: %s",
    (_, example) => {
      // Fields a and b are scalars in some examples and vectors in others.
      const [errorOfScalars, errorOfVectors] = [1, 3].map((n) =>
        errorOf(example, [...fields, field("a", n), field("b", n)]),
      );
      if (errorOfVectors) expect(errorOfScalars).toBeUndefined();
    },
  );
});

function errorOf(text: string, of: readonly FieldSignature[]): string | undefined {
  try {
    compile(text, of);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

const field = (name: string, components = 1, centering: "node" | "cell" = "node"): FieldSignature => ({
  name,
  components,
  centering,
});

/** The fields that the examples speak of. */
const fields = [
  ...["u", "v", "w", "p", "pressure", "rho", "r", "material", "latitude"].map((name) => field(name)),
  ...["velocity", "vectors", "momentum"].map((name) => field(name, 3)),
  field("stress", 6),
  field("X Velocity"),
  field("temperature", 1, "cell"),
];
