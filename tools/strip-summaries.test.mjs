import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withoutSummaries } from "./strip-summaries.mjs";

it("takes summaries and formulas out of filters, and leaves what errors name", () => {
  const code = readFileSync("src/lang/expression/filters/tensors.ts", "utf8");
  const rest = withoutSummaries(code);
  expect(code).toMatch(/summary:\s+"[^"]/);
  expect(rest).not.toMatch(/(summary|formula):\s+"[^"]/);
  expect(rest).toContain('signature: "trace(m)"');
  expect(rest).toContain('example: "trace(gradient(velocity))"');
  expect(withoutSummaries('summary: "a \\" b", formula: "c"')).toBe('summary: "", formula: ""');
});
