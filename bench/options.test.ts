import { expect, it } from "vitest";
import { readOptions } from "./options.ts";

it("options are read in any order", () => {
  expect(readOptions(["--quick", "derived", "--n", "64", "--json", "--unsafe"])).toEqual({
    filter: "derived",
    isQuick: true,
    isJson: true,
    isUnsafe: true,
    n: 64,
  });
  expect(readOptions([])).toEqual({
    filter: "",
    isQuick: false,
    isJson: false,
    isUnsafe: false,
    n: undefined,
  });
});

it.each([[["--n", "0"]], [["--n", "many"]], [["a", "b"]], [["--fast"]]])("%j is refused", (args) => {
  expect(() => readOptions(args)).toThrow(/Usage: bench/);
});
