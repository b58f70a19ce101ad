import { expect, it } from "vitest";
import { paperGpu } from "../../testing/paper-gpu.ts";
import { createDensity } from "./density.ts";

it.each([0, 64, 2.5, Number.NaN])("refuses the density by %s others", async (k) => {
  const made = createDensity(paperGpu(), { dimensions: 3, isWidest: false }, k);
  await expect(made).rejects.toThrow(
    `The local density by the ${k} nearest other points was asked for. Ask for 1 to 63.`,
  );
});

it("takes 1 to 63 others", async () => {
  for (const k of [1, 63]) await createDensity(paperGpu(), { dimensions: 2, isWidest: true }, k);
});
