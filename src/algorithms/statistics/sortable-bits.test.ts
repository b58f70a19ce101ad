import { expect, it } from "vitest";
import { sortableBits, valueOfSortableBits } from "./sortable-bits.ts";

it("sortable bits have the values' order, and give them back", () => {
  const values = [
    Number.NEGATIVE_INFINITY,
    -3e38,
    -1,
    -1e-45,
    -0,
    0,
    1e-45,
    1,
    3e38,
    Number.POSITIVE_INFINITY,
  ];
  const singles = Float32Array.from(values);
  const keys = Array.from(new Uint32Array(singles.buffer), sortableBits);
  expect(keys).toEqual([...keys].sort((a, b) => a - b));
  expect(keys.map(valueOfSortableBits)).toEqual([...singles]);
});
