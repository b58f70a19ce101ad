import { expect, test } from "vitest";
import { latticeModels } from "../../core/lattice/models.ts";
import { modelSummaries } from "./models.ts";

test("every model that runs pass by pass is summed up for the page, with its starts and fields", () => {
  const summaries = modelSummaries();
  const passes = latticeModels.filter(({ name }) => !name.endsWith("swendsen-wang"));
  expect(summaries.map(({ name }) => name)).toEqual(passes.map(({ name }) => name));
  for (const { name, starts, fields } of summaries) {
    expect([name, starts.length > 0, Object.keys(fields).length > 0]).toEqual([name, true, true]);
  }
});
