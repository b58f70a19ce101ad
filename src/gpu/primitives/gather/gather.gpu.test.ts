import { expect, it } from "vitest";
import { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createGather, createIndexCheck, createScatter } from "./gather.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const scope = gpu.scope();

/** Data of so many words an element at an offset, poison around it. */
function place(data: Uint32Array<ArrayBuffer>, offset = 0, words = 1) {
  const pooled = scope.allocate("gather test", (offset + data.length + 3) * 4, usage);
  const all = new Uint32Array(offset + data.length + 3).fill(poison);
  all.set(data, offset);
  gpu.device.queue.writeBuffer(pooled.buffer, 0, all);
  return { pooled, view: { buffer: pooled.buffer, offset, length: data.length / words } satisfies View };
}

async function read({ pooled, view }: ReturnType<typeof place>, words = 1) {
  recorder.submit();
  const all = await readU32(gpu, pooled);
  const end = view.offset + view.length * words;
  expect(all.subarray(0, view.offset).every((word) => word === poison)).toBe(true);
  expect(all.subarray(end).every((word) => word === poison)).toBe(true);
  return all.slice(view.offset, end);
}

const noise = (n: number, seed = 1) =>
  Uint32Array.from({ length: n }, (_, i) => Math.imul(i + seed, 0x9e3779b1));
const cases = [
  [0, 5, 0],
  [1, 1, 1],
  [700, 31, 3],
  [2048, 4000, 0],
  [4101, 1000, 65],
] as const;

it("gathers elements of one to four words; out of range is 0", async () => {
  for (const words of [1, 2, 3, 4]) {
    const gather = await createGather(gpu, words);
    for (const [n, m, offset] of cases) {
      const source = noise(m * words);
      const map = noise(n, 7).map((x) => (x >>> 9) % (m + 3));
      const output = place(new Uint32Array(n * words).fill(poison), offset, words);
      gather.record(recorder, {
        map: place(map, offset).view,
        source: place(source, offset, words).view,
        output: output.view,
      });
      const expected = Uint32Array.from({ length: n * words }, (_, w) => {
        const from = map[Math.floor(w / words)];
        return from < m ? source[from * words + (w % words)] : 0;
      });
      expect(await read(output, words), `${words} ${n}`).toEqual(expected);
    }
  }
});

it("scatters elements of one to four words; out of range is passed over", async () => {
  for (const words of [1, 2, 3, 4]) {
    const scatter = await createScatter(gpu, words);
    for (const [n, m, offset] of cases) {
      // Different indices, a third of them beyond the target.
      const map = Uint32Array.from({ length: n }, (_, i) => (i * 7919) % 4111).map((x) =>
        x % 3 === 0 ? x + 1e6 : x,
      );
      const source = noise(n * words);
      const before = noise(m * words, 99);
      const target = place(before, offset, words);
      scatter.record(recorder, {
        map: place(map, offset).view,
        source: place(source, offset, words).view,
        target: target.view,
      });
      const expected = before.slice();
      map.forEach((to, i) => {
        if (to < m) expected.set(source.subarray(i * words, (i + 1) * words), to * words);
      });
      expect(await read(target, words), `${words} ${n}`).toEqual(expected);
    }
  }
});

it("moves by a stencil, and as many as a count on the GPU says", async () => {
  const [n, count] = [1500, 1203];
  const [source, fallback] = [noise(n), noise(n, 5)];
  const map = Uint32Array.from({ length: n }, (_, i) => (i * 7) % n);
  const stencil = noise(n, 3).map((x) => (x >>> 5) & 1);
  const counter = { buffer: place(Uint32Array.of(count)).view.buffer, offset: 0, max: n };
  const common = { map: place(map).view, stencil: place(stencil).view, count: counter };

  const gathered = place(new Uint32Array(n).fill(poison));
  const gather = await createGather(gpu, 1, true);
  gather.record(recorder, {
    ...common,
    source: place(source).view,
    fallback: place(fallback).view,
    output: gathered.view,
  });
  expect(await read(gathered)).toEqual(
    source.map((_, i) => (i >= count ? poison : stencil[i] ? source[map[i]] : fallback[i])),
  );

  const target = place(fallback);
  const scatter = await createScatter(gpu, 1, true);
  scatter.record(recorder, { ...common, source: place(source).view, target: target.view });
  const expected = fallback.slice();
  for (let i = 0; i < count; i++) if (stencil[i]) expected[map[i]] = source[i];
  expect(await read(target)).toEqual(expected);
});

it("finds the first index out of range", async () => {
  const check = await createIndexCheck(gpu);
  for (const [bad, n] of [
    [[], 0],
    [[], 5000],
    [[0], 1],
    [[4999, 2050, 3000], 5000],
  ] as const) {
    const map = noise(n).map((x) => x % 1000);
    for (const i of bad) map[i] = 1000 + i;
    const place1 = place(Uint32Array.of(7), 2);
    check.record(recorder, { map: place(map, 5).view, length: 1000, bad: place1.view });
    expect([...(await read(place1))]).toEqual([bad.length ? Math.min(...bad) : 0xffffffff]);
  }
});

it("refuses what does not fit before anything is recorded", async () => {
  const [gather, scatter] = await Promise.all([createGather(gpu, 2), createScatter(gpu, 1, true)]);
  const [a, b, c] = [8, 8, 8].map((n) => place(new Uint32Array(n)).view);
  const kernels = gpu.counters.kernels;
  const pairs = { ...b, length: 4 };
  expect(() => gather.record(recorder, { map: a, source: pairs, output: { ...c, length: 4 } })).toThrow(
    "A gather was asked for 8 elements, and a vector of it has 4.",
  );
  expect(() => gather.record(recorder, { map: { ...a, length: 4 }, source: pairs, output: pairs })).toThrow(
    "output of its own",
  );
  expect(() => scatter.record(recorder, { map: a, source: b, target: c })).toThrow("made with a stencil");
  await expect(createGather(gpu, 5)).rejects.toThrow("An element has 5 words.");
  expect(gpu.counters.kernels).toBe(kernels);
  scope.release();
});
