import { expect, it } from "vitest";
import { axisOf, scaled, sumOf } from "../../core/hypercube/linear.ts";
import type { SourceIndex } from "../../kernel/hypercube/source-index.ts";
import { groupLoads } from "./group-loads.ts";

const q = axisOf(0, 16);
/** A group whose element j comes from 4·q + at(j). */
const group = (at: (j: number) => number): SourceIndex[] =>
  [0, 1, 2, 3].map((j) => ({ index: sumOf([scaled(q, 4)], at(j)), conditions: [] }));
const elements = (sources: SourceIndex[], hasVectors = true) => {
  const { width, loads, parts } = groupLoads(sources, hasVectors);
  return { width, loads: loads.length, parts: parts.map(({ load, element }) => [load, element]) };
};

it("reads vectors that hold the group, two at most", () => {
  expect(elements(group((j) => 3 - j))).toEqual({
    width: 4,
    loads: 1,
    parts: [
      [0, 3],
      [0, 2],
      [0, 1],
      [0, 0],
    ],
  });
  expect(elements(group((j) => j + 1))).toEqual({
    width: 4,
    loads: 2,
    parts: [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 0],
    ],
  });
  expect(elements(group((j) => 4 * j))).toMatchObject({ width: 1, loads: 4 });
});

it("reads elements where vectors would leave some out, or where some are 0", () => {
  expect(
    elements(
      group((j) => j),
      false,
    ),
  ).toMatchObject({ width: 1, loads: 4 });
  const inside = { of: q, first: 1, end: 16 };
  const some = group((j) => j).map((source, j) => (j === 0 ? { ...source, conditions: [inside] } : source));
  expect(elements(some)).toMatchObject({ width: 1, loads: 4 });
  expect(
    groupLoads(
      group((j) => j),
      true,
      [inside],
    ),
  ).toMatchObject({ width: 4, loads: [{ conditions: [inside] }] });
});
