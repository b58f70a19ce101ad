import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeElementwise } from "../../../core/primitives/testing/conformance/elementwise.ts";
import { describeCompaction } from "../../../core/primitives/testing/conformance/movements.ts";
import { describeReductions } from "../../../core/primitives/testing/conformance/reductions.ts";
import { subjectOf } from "../../../core/primitives/testing/conformance/subject.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const mostBindingBytes = 4096;

/** Where a binding ends, where pieces do (960 elements of one word, 448 of two), and several. */
const sizes = [0, 1023, 1025, 1921, 3000];

/** The largest binding of storage that groups on a device were made with since. */
async function watchBindings(): Promise<{ largest: number; stop(): void }> {
  const { device } = await testGpu();
  const { createBindGroup } = device;
  const watched = {
    largest: 0,
    stop: () => {
      device.createBindGroup = createBindGroup;
    },
  };
  device.createBindGroup = (descriptor) => {
    for (const { resource } of descriptor.entries) {
      if (!("buffer" in resource)) continue;
      const { buffer, offset = 0, size = buffer.size - offset } = resource;
      watched.largest = Math.max(watched.largest, size);
    }
    return createBindGroup.call(device, descriptor);
  };
  return watched;
}

describe("primitives in pieces", () => {
  const chained = { subgroups: true, scan: "chained" } as const;
  const subject = subjectOf(
    async () => createGpuPrimitives(await testGpu(), { strategy: chained, mostBindingBytes }),
    sizes,
  );
  let watched: Awaited<ReturnType<typeof watchBindings>>;
  beforeAll(async () => {
    watched = await watchBindings();
  });
  afterAll(() => watched.stop());

  describeElementwise(subject);
  describeReductions(subject);
  describeCompaction(subject);

  it("bind no more than they may", () => {
    expect(watched.largest).toBeGreaterThan(mostBindingBytes / 2);
    expect(watched.largest).toBeLessThanOrEqual(mostBindingBytes);
  });
});

it("refuses to bind too little for a piece", async () => {
  const made = createGpuPrimitives(await bareGpu(), { mostBindingBytes: 1024 });
  await expect(made).rejects.toMatchObject({ tag: "BadArgument" });
});
