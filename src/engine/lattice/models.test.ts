import { expect, test } from "vitest";
import { lotkaVolterra } from "../../core/lattice/lotka-volterra/lotka-volterra.ts";
import { latticeModels, modelNamed, parametersOf } from "../../core/lattice/models.ts";
import { modelSummaries, modelSummary } from "./models.ts";

test("every model that runs pass by pass is summed up for the page, with its starts and fields", () => {
  const summaries = modelSummaries();
  const passes = latticeModels.filter(({ name }) => !name.endsWith("swendsen-wang"));
  expect(summaries.map(({ name }) => name)).toEqual(passes.map(({ name }) => name));
  for (const { name, starts, fields, quantities } of summaries) {
    expect([name, starts.length > 0, Object.keys(fields).length > 0]).toEqual([name, true, true]);
    expect([name, Object.keys(quantities).length > 0]).toEqual([name, true]);
  }
});

test("models, parameters, fields and what is measured have labels that a person reads, all different", () => {
  const summaries = modelSummaries();
  const titles = summaries.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { name, parameters, fields, quantities, measures } of summaries) {
    for (const records of [
      Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter])),
      fields,
      quantities,
      measures,
    ]) {
      const labels = Object.values(records).map(({ label }) => label);
      expect([name, new Set(labels).size]).toEqual([name, labels.length]);
      for (const label of labels) expect(label).toMatch(/^[A-Z][^A-Z]*( of [A-Z]| [a-zA-Zκφψ|²]+)?$/);
      for (const [code, { label }] of Object.entries(records))
        expect([name, label]).not.toEqual([name, code]);
    }
  }
});

test("every model that the page runs can be drawn on, and has ranges for the colours of its numbers", () => {
  for (const { name } of modelSummaries()) {
    const model = modelNamed(name);
    const { brush, fields } = model.on([48, 48], parametersOf(model, {}, 2));
    expect([name, brush !== undefined]).toEqual([name, true]);
    for (const [field, { components, range }] of Object.entries(fields))
      if (components === 1) expect([name, field, range !== undefined]).toEqual([name, field, true]);
  }
});

test("a summary of an open lattice has the fields and quantities of its own parameters", () => {
  const summary = modelSummary(lotkaVolterra, lotkaVolterra.on([8, 8], { species: 3 }));
  expect(Object.values(summary.fields).map(({ label }) => label)).toEqual([
    "Species 1",
    "Species 2",
    "Species 3",
  ]);
  expect(Object.values(summary.quantities).map(({ label }) => label)).toEqual([
    "All species",
    "Species 1",
    "Species 2",
    "Species 3",
  ]);
});
