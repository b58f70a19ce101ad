import { expect, it } from "vitest";
import { countExchanges } from "./exchanges.ts";
import { exchangesOf } from "./growth.ts";

it("counts what ranks exchange for an isosurface, which is some planes of nodes and a few words", async () => {
  const [small, large] = [
    await countExchanges("isosurface", 2, 16),
    await countExchanges("isosurface", 2, 24),
  ];
  for (const { allgathers, alltoalls, halos, gathered } of [small, large]) {
    expect([allgathers, alltoalls, halos]).toEqual([6, 0, 2]);
    expect(gathered).toBeLessThan(200);
  }
  const further = await countExchanges("isosurface, further isovalue", 2, 24);
  expect(further).toMatchObject({ allgathers: 3, alltoalls: 0, halos: 0, exchanged: 0 });
  const planes = (large.exchanged - small.exchanged) / (4 * (24 ** 2 - 16 ** 2));
  expect(planes).toBeGreaterThan(2);
  expect(planes).toBeLessThan(4);
  expect(large.readBack).toBeLessThanOrEqual(large.exchanged);
});

it("knows by the counts of some ranks and elements what others exchange", async () => {
  const predicted = (await exchangesOf("sort"))(3000, 6);
  const counted = await countExchanges("sort", 6, 3000);
  expect([predicted.allgathers, predicted.alltoalls]).toEqual([counted.allgathers, counted.alltoalls]);
  expect(predicted.gathered).toBeCloseTo(counted.gathered, 6);
  for (const of of ["exchanged", "readBack", "written"] as const)
    expect(Math.abs(predicted[of] / counted[of] - 1), of).toBeLessThan(0.05);
});
