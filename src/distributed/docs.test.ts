import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { examplesIn } from "../embed/testing/examples.ts";

it("is described by code as it stands in the sources", () => {
  const all = [...examplesIn(readFileSync("docs/distributed.md", "utf8"))];
  const examples = all.filter(([path]) => path.startsWith("src/"));
  expect(examples.length).toBe(3);
  for (const [path, text] of examples) expect(readFileSync(path, "utf8")).toContain(text);
});
