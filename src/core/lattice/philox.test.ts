import { describe, expect, it } from "vitest";
import { compileFunction } from "../../kernel/compile-js.ts";
import { parseFunctions } from "../../kernel/text/parse.ts";
import { philoxText } from "./philox.ts";
import { philoxReference } from "./testing/philox.ts";

const { functions } = parseFunctions(philoxText);
const philox = functions.find(({ name }) => name === "philox")!;

const wordsOf = (text: string): number[] => text.split(" ").map((word) => Number.parseInt(word, 16));

describe("Philox 4×32-10", () => {
  // Known answers of Random123 1.14 (tests/kat_vectors): counter, key, result.
  it.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
  ])("makes of the counter %s the published words", (counter, key, expected) => {
    for (const generates of [true, false]) {
      const run = compileFunction(philox, { generates });
      expect(run(wordsOf(counter), wordsOf(key))).toEqual(wordsOf(expected));
    }
    expect(philoxReference(wordsOf(counter), wordsOf(key))).toEqual(wordsOf(expected));
  });
});
