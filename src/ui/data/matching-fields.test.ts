import { expect, test } from "vitest";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { matchingFields } from "./matching-fields.ts";

const fields = ["mass fraction of CO2", "mass fraction of H2O", "Temperature"].map((name) =>
  fieldOf(name, 1, rangeOf(0, 1)),
);
const names = (pattern: string) => matchingFields(fields, pattern).map(({ name }) => name);

test("fields are found by the words in their names", () => {
  expect(names("co2 MASS")).toEqual(["mass fraction of CO2"]);
  expect(names("  temp ")).toEqual(["Temperature"]);
  expect(names("fraction")).toHaveLength(2);
  expect(names("pressure")).toEqual([]);
  expect(matchingFields(fields, " ")).toBe(fields);
});
