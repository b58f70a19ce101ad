import { describe, expect, it } from "vitest";
import { compileFunction } from "../../kernel/compile-js.ts";
import { parseFunctions } from "../../kernel/text/parse.ts";
import { philoxText } from "./philox.ts";
import { philoxReference } from "./testing/philox.ts";

const { functions } = parseFunctions(philoxText);
const philox = functions.find(({ name }) => name === "philox")!;

const wordsOf = (text: string): number[] => text.split(" ").map((word) => Number.parseInt(word, 16));

describe("Philox 4×32-7", () => {
  // Known answers of Random123 1.14 (tests/kat_vectors): counter, key, result.
  it.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "5f6fb709 0d893f64 4f121f81 4f730a48"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "5207ddc2 45165e59 4d8ee751 8c52f662"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "4dfccaba 190a87f0 c47362ba b6b5242a"],
  ])("makes of the counter %s the published words", (counter, key, expected) => {
    for (const generates of [true, false]) {
      const run = compileFunction(philox, { generates });
      expect(run(wordsOf(counter), wordsOf(key))).toEqual(wordsOf(expected));
    }
    expect(philoxReference(wordsOf(counter), wordsOf(key))).toEqual(wordsOf(expected));
  });
});
