import { afterAll, expect, it } from "vitest";
import { hypercube, releaseDevice } from "./crinkle.ts";

afterAll(() => releaseDevice());

it("applies maps on a GPU, to bytes that fill no word, and in place", async () => {
  const data = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);
  const map = hypercube.map("[7]", "shift(x, 2)");
  const { data: moved, report } = await hypercube.apply(map, data, { device: "gpu" });
  expect([report.device, ...moved]).toEqual(["gpu", 6, 7, 1, 2, 3, 4, 5]);
  const words = Float32Array.of(1, 2, 3);
  await hypercube.apply(hypercube.map("[3]", "flip(x)"), words, { device: "gpu", out: words });
  expect([...words]).toEqual([3, 2, 1]);
  await expect(hypercube.apply(map, data, { device: "gpu", out: data })).rejects.toThrow(
    "cannot be done in place",
  );
});
