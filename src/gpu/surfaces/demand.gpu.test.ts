import { expect, it } from "vitest";
import { makeField } from "../../core/field.ts";
import { cubeGrid } from "../../cpu/surfaces/testing/fields.ts";
import { BoundKernel, submitPass } from "../compute/dispatch.ts";
import { readBytes } from "../device/transfer.ts";
import { linkFragments } from "../shader/fragment.ts";
import { testGpu } from "../testing/context.ts";
import { demand } from "./demand.ts";
import { allocateState, drawWords, stateWords, surfaceState } from "./surface-state.ts";
import { createSentExtractor } from "./testing/sent.ts";
import { uploaded } from "./testing/upload.ts";

const gpu = await testGpu();

const groups = 2 ** 14;
const limit = 2 ** 31;

/** Every workgroup asks for 2²⁰ vertices and 3 · 2¹⁸ indices; how often one got a place below the limit. */
const asking = {
  label: "demand: test",
  entryPoint: "ask",
  code: linkFragments({
    name: "ask",
    requires: [surfaceState, demand],
    code: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> state: SurfaceState;
@group(0) @binding(1) var<storage, read_write> granted: array<atomic<u32>, 2>;

@compute @workgroup_size(1)
fn ask() {
  if (take_vertices(1u << 20u) < ${limit}u) {
    atomicAdd(&granted[0], 1u);
  }
  if (take_indices(3u << 18u) < ${limit}u) {
    atomicAdd(&granted[1], 1u);
  }
}
`,
  }),
};

it("stays beyond the limit whatever else is asked for, and gives no place twice", async () => {
  const scope = gpu.scope();
  const state = allocateState(scope, "test");
  const granted = scope.allocate("granted", 8, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  const kernel = new BoundKernel(gpu, await gpu.pipelines.get(asking), [state, granted]);
  submitPass(gpu, asking.label, (pass) => kernel.dispatch(pass, groups));
  const words = new Uint32Array(await readBytes(gpu, state, 0, stateWords * 4));
  const [vertices, indices] = words.subarray(drawWords);
  expect(vertices).toBe(limit);
  expect(indices).toBe(Math.ceil(limit / (3 * 2 ** 18)) * 3 * 2 ** 18);
  const counts = new Uint32Array(await readBytes(gpu, granted, 0, 8));
  expect([...counts]).toEqual([limit / 2 ** 20, Math.ceil(limit / (3 * 2 ** 18))]);
  scope.release();
});

it("reports of a surface beyond the limit that there is more", async () => {
  const grid = cubeGrid([3, 3, 3]);
  const up = await uploaded(gpu, grid, { f: makeField(grid, "f", "node", 1, new Float32Array(27)) });
  const reported: string[] = [];
  const extractor = createSentExtractor(gpu, { onError: (error) => reported.push(String(error)) });
  const { largestBinding } = gpu.pool;
  Object.defineProperty(gpu.pool, "largestBinding", { value: 100_000, configurable: true });
  try {
    await extractor.setSource({ tables: up.tables });
    const surface = { vertices: new ArrayBuffer(0), indices: new Uint32Array(), isovalue: 0 };
    extractor.extract({ ...surface, ends: [{ vertices: 4096, indices: 3 * 8192 * 4 }] });
    await expect(extractor.readMesh()).rejects.toThrow("The surface has 32,768 triangles, ");
    extractor.extract({ ...surface, ends: [{ vertices: limit + 3000, indices: limit + 7680 }] });
    const { triangles, vertices, isTruncated } = await extractor.counts();
    expect([triangles, vertices, isTruncated]).toEqual([Math.floor(limit / 3), limit, true]);
    await expect(extractor.readMesh()).rejects.toThrow(
      "The surface has more than 715,827,882 triangles, which this GPU's buffers do not hold.",
    );
    extractor.extract({ ...surface, ends: [{ vertices: 0, indices: 0 }] });
    await extractor.counts();
    expect(reported.length).toBe(1);
    extractor.extract({ ...surface, ends: [{ vertices: 4096, indices: 3 * 8192 * 4 }] });
    await extractor.counts();
    expect(reported.length).toBe(2);
    expect(reported[0]).toContain("32,768 triangles");
  } finally {
    Object.defineProperty(gpu.pool, "largestBinding", { value: largestBinding, configurable: true });
  }
  extractor.dispose();
  up.release();
});
