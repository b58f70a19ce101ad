import { expect, it } from "vitest";
import { bindGroupsOf } from "./bind-groups.ts";
import { notingGpu, paperPipeline } from "./testing/paper-kernel.ts";

const one = paperPipeline("one");

function buffers(gpu: ReturnType<typeof notingGpu>["gpu"], count: number) {
  return Array.from({ length: count }, (_, k) => gpu.pool.allocate(`buffer ${k}`, 1024, 128));
}

it("makes a bind group for other resources only", () => {
  const { gpu, groups } = notingGpu();
  const cache = bindGroupsOf(gpu.device);
  const [a, b, c] = buffers(gpu, 3);
  const group = cache.get(one, [a, b]);
  expect(cache.get(one, [{ buffer: a.buffer, size: 1024 }, b])).toBe(group);
  expect(cache.get(one, [{ ...a, offset: 0 }, b])).toBe(group);
  expect(bindGroupsOf(gpu.device).get(one, [a, b])).toBe(group);
  expect(groups.length).toBe(1);
  const others = [
    [a, c],
    [a, { ...b, size: 256 }],
    [a, { ...b, offset: 256 }],
    [{ ...a, offset: 256 }, b],
  ];
  for (const bindings of others) cache.get(one, bindings);
  cache.get(paperPipeline("other"), [a, b]);
  expect(groups.length).toBe(6);
});

it("leaves out bindings that a kernel has not, and labels the group as its kernel", () => {
  const { gpu, groups } = notingGpu();
  const [a, b] = buffers(gpu, 2);
  bindGroupsOf(gpu.device).get(one, [undefined, a, undefined, b]);
  expect(groups[0].label).toBe("one");
  expect([...groups[0].entries].map(({ binding }) => binding)).toEqual([1, 3]);
  bindGroupsOf(gpu.device).get(one, [undefined, a, undefined, b]);
  bindGroupsOf(gpu.device).get(one, [undefined, a, b, undefined]);
  expect(groups.length).toBe(2);
});

it("forgets the oldest of many bind groups with the same first range", () => {
  const { gpu, groups } = notingGpu();
  const cache = bindGroupsOf(gpu.device);
  const [a, ...rest] = buffers(gpu, 6);
  for (const b of rest) cache.get(one, [a, b]);
  expect(groups.length).toBe(5);
  for (const b of rest.slice(1)) cache.get(one, [a, b]);
  expect(groups.length).toBe(5);
  cache.get(one, [a, rest[0]]);
  expect(groups.length).toBe(6);
});
