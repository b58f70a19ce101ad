import { expect, it } from "vitest";
import { axisOf, scaled, sumOf } from "../../core/hypercube/linear.ts";
import { padded, paddingOf } from "./padding.ts";

it("moves elements that are a row apart to different banks", () => {
  // Threads read along columns of 32 × 32 elements, one at a time, and write along rows.
  const column = sumOf([scaled(axisOf(0, 1024), 32)]);
  const shift = paddingOf(column, { source: 1, result: 1 }, 1024, 4);
  const banks = (elements: number[]) => new Set(elements.map((t) => padded(t, shift) % 32)).size;
  const lanes = Array.from({ length: 32 }, (_, u) => u);
  expect([banks(lanes), banks(lanes.map((u) => 32 * u))]).toEqual([32, 32]);
});
