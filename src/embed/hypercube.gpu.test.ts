import { afterAll, expect, it } from "vitest";
import { testGpu } from "../gpu/testing/context.ts";
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

it("rearranges buffers of the caller's device, without waiting", async () => {
  const { device } = await testGpu();
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const bufferOf = (usage: number) => device.createBuffer({ size: 24, usage });
  const [source, target, plain] = [
    STORAGE | COPY_SRC | COPY_DST,
    STORAGE | COPY_SRC,
    COPY_DST | MAP_READ,
  ].map(bufferOf);
  device.queue.writeBuffer(source, 0, Float32Array.of(1, 2, 3, 4, 5, 6));
  const flip = await hypercube.prepare(hypercube.map("[2,3]", "flip(x)"), { device, elementBytes: 4 });
  flip.run(source);
  const transpose = await hypercube.prepare(hypercube.map("[2,3]", "transpose(x, y)"), {
    device,
    elementBytes: 4,
  });
  transpose.run(source, target);
  expect(() => transpose.run(source)).toThrow("cannot be done in place");
  expect(() => flip.run(source, plain)).toThrow("The target lacks the usage STORAGE.");
  const large = await hypercube.prepare(hypercube.map("[7]", "flip(x)"), { device, elementBytes: 4 });
  expect(() => large.run(source)).toThrow("The source has 24 bytes where the map takes 28.");
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(target, 0, plain, 0, 24);
  device.queue.submit([encoder.finish()]);
  await plain.mapAsync(GPUMapMode.READ);
  expect([...new Float32Array(plain.getMappedRange())]).toEqual([3, 6, 2, 5, 1, 4]);
  for (const buffer of [source, target, plain]) buffer.destroy();
});
