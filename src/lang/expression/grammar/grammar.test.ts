import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { generateParser } from "../../../../tools/make-grammar.mjs";

describe("expression.grammar", () => {
  it("generates the committed parser (node tools/make-grammar.mjs writes it)", async () => {
    for (const [name, text] of Object.entries(await generateParser())) {
      expect(await readFile(new URL(name, import.meta.url), "utf8"), name).toBe(text);
    }
  });
});
