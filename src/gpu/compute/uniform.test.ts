import { expect, it, vi } from "vitest";
import { paperGpu } from "../testing/paper-gpu.ts";
import { Uniform } from "./uniform.ts";

const declaration = {
  name: "test: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  scale: f32,
  origin: vec3f,
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

interface Values {
  dims: readonly number[];
  scale: number;
  origin: readonly number[];
  count: number;
}

it("writes the members that were set by name, and keeps the others", () => {
  const gpu = paperGpu();
  const written: ArrayBuffer[] = [];
  const writeBuffer = vi.fn((_: GPUBuffer, __: number, bytes: ArrayBuffer) => written.push(bytes.slice(0)));
  Object.defineProperty(gpu.device, "queue", { value: { writeBuffer } });
  const uniform = new Uniform<Values>(gpu, gpu.scope(), declaration);
  expect([uniform.buffer.size, uniform.buffer.label]).toEqual([32, "test: parameters"]);
  uniform.set({ dims: [4, 5, 6], scale: 0.5, origin: [1, 2, 3], count: 9 });
  uniform.write();
  uniform.set({ scale: 2 });
  expect(written.length).toBe(1);
  uniform.write();
  expect(new Uint32Array(written[0], 0, 3)).toEqual(Uint32Array.of(4, 5, 6));
  expect(new Uint32Array(written[1], 28)).toEqual(Uint32Array.of(9));
  expect(written.map((bytes) => new Float32Array(bytes, 12, 4))).toEqual([
    Float32Array.of(0.5, 1, 2, 3),
    Float32Array.of(2, 1, 2, 3),
  ]);
});

it("gives each uniform of a declaration values of its own", () => {
  const gpu = paperGpu();
  const written: number[] = [];
  const writeBuffer = (_: GPUBuffer, __: number, bytes: ArrayBuffer) =>
    written.push(new Float32Array(bytes)[3]);
  Object.defineProperty(gpu.device, "queue", { value: { writeBuffer } });
  const [a, b] = [0, 1].map(() => new Uniform<Values>(gpu, gpu.scope(), declaration));
  a.set({ scale: 1 });
  b.set({ scale: 2 });
  a.write();
  b.write();
  expect(written).toEqual([1, 2]);
});
