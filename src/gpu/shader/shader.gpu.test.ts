import { expect, it } from "vitest";
import { readU32 } from "../device/transfer.ts";
import { testGpu } from "../testing/context.ts";
import { dispatchExtents, linearGroup } from "./dispatch.ts";
import { finite } from "./finite.ts";
import { type Fragment, linkFragments } from "./fragment.ts";

const gpu = await testGpu();

/** Runs a kernel with `input` at binding 0 and a result of `words` at binding 1. */
async function run(fragment: Fragment, input: Uint32Array<ArrayBuffer>, words: number, groups: number) {
  const pipeline = await gpu.pipelines.get({
    label: fragment.name,
    code: linkFragments(fragment),
    entryPoint: "main",
  });
  const scope = gpu.scope();
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const given = scope.allocate("given", input.byteLength, STORAGE | COPY_DST);
  const result = scope.allocate("result", words * 4, STORAGE | COPY_SRC);
  gpu.device.queue.writeBuffer(given.buffer, 0, input);
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [given, result].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
    }),
  );
  pass.dispatchWorkgroups(...dispatchExtents(groups));
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  const words32 = await readU32(gpu, result);
  scope.release();
  return words32;
}

it("distinguishes NaN and infinities from numbers by their bits", async () => {
  const values = Float32Array.of(0, -0, 1, -3e38, 1e-44, Number.NaN, Number.POSITIVE_INFINITY, -Infinity);
  const bits = new Uint32Array([...new Uint32Array(values.buffer), 0xffc00001, 0x7f800001]);
  const kinds = await run(
    {
      name: "kinds",
      requires: [finite],
      code: /* wgsl */ `
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> kinds: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  kinds[group.x] = u32(is_finite(values[group.x])) + 2u * u32(is_nan(values[group.x]));
}
`,
    },
    bits,
    bits.length,
    bits.length,
  );
  expect([...kinds]).toEqual([1, 1, 1, 1, 1, 2, 0, 0, 2, 2]);
});

it("numbers more workgroups than one dimension holds, each once", async () => {
  const groups = 65535 + 4465;
  const counts = await run(
    {
      name: "groups",
      requires: [linearGroup],
      code: /* wgsl */ `
@group(0) @binding(0) var<storage, read> limit: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let number = linear_group(group, groups);
  if (number < limit[0]) {
    atomicAdd(&counts[number], 1u);
  }
}
`,
    },
    Uint32Array.of(groups),
    groups,
    groups,
  );
  expect(dispatchExtents(groups)).toEqual([35000, 2]);
  expect(dispatchExtents(65536)).toEqual([32768, 2]);
  expect(dispatchExtents(0)).toEqual([0, 0]);
  expect(counts.every((count) => count === 1)).toBe(true);
});
