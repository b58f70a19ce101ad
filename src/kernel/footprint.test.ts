import { expect, it } from "vitest";
import { CrinkleError } from "../core/errors.ts";
import { reachesOf } from "./footprint.ts";
import { gridKernel } from "./testing/grid-kernel.ts";

const constants = { scale: 1, reach: 3 };

it("takes the reach of offsets from the text, functions included", () => {
  const kernel = gridKernel(`
    fn before() -> f32 { return near(0, -2, 0); }
    if (near(1, 0, 0) > 0) { out.result = before() + near(0, 1, 4); }
  `);
  expect(reachesOf(kernel, constants).near).toEqual({ before: [0, 2, 0], after: [1, 1, 4] });
});

it("gives declared footprints as numbers, and none for what is read through maps or anywhere", () => {
  const reaches = reachesOf(gridKernel("out.result = near(2, 2, 2) + near(3, 0, 0);"), constants);
  expect(reaches).toEqual({
    own: { before: [0, 0, 0], after: [0, 0, 0] },
    vectors: { before: [0, 0, 0], after: [0, 0, 0] },
    near: { before: [0, 0, 0], after: [3, 2, 2] },
    wide: { before: [2, 1, 0], after: [3, 1, 0] },
    nodes: undefined,
    corners: undefined,
    table: undefined,
  });
  expect(reachesOf(gridKernel("out.result = near(-4);"), constants).near).toEqual({
    before: [4, 0, 0],
    after: [0, 0, 0],
  });
});

it("refuses distances that are not whole numbers of elements", () => {
  for (const reach of [-1, 0.5, Number.NaN]) {
    const call = () => reachesOf(gridKernel(""), { reach });
    expect(call).toThrow(CrinkleError);
    expect(call).toThrow(`The footprint of the input “wide” reaches ${reach} elements.`);
  }
});
