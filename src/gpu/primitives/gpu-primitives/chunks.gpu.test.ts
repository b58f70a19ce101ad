import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { all, own } from "../../../core/primitives/access.ts";
import { defineKernel } from "../../../core/primitives/kernel.ts";
import { add, argmax, argmin, mul, noPosition } from "../../../core/primitives/operators.ts";
import {
  describeCompaction,
  describeMaps,
} from "../../../core/primitives/testing/conformance/data-movement.ts";
import { describeElementwise } from "../../../core/primitives/testing/conformance/elementwise.ts";
import { describeLocating } from "../../../core/primitives/testing/conformance/locating.ts";
import { describeReductions } from "../../../core/primitives/testing/conformance/reductions.ts";
import { describeScans } from "../../../core/primitives/testing/conformance/scans.ts";
import { subjectOf } from "../../../core/primitives/testing/conformance/subject.ts";
import { randomWords, runKeys } from "../../../core/primitives/testing/data.ts";
import { expectedOf } from "../../../core/primitives/testing/expected.ts";
import { affine, isOdd, triple } from "../../../core/primitives/testing/operators.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { isSweep } from "../../testing/sweep.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const maxBindingBytes = 4096;
const chained = { subgroups: true, scan: "chained" } as const;
const make = async () => createGpuPrimitives(await testGpu(), { strategy: chained, maxBindingBytes });

const lookUp = defineKernel({
  name: "look up",
  inputs: { terms: { type: "u32", components: 2, access: own }, table: { type: "i32", access: all } },
  constants: {},
  outputs: { sums: { type: "i32", components: 2 } },
  text: "out.sums = vec2i(terms()) + vec2i(table(element), i32(place));",
});

/** The largest binding of storage in groups that were made on a device since. */
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

describe("primitives in chunks", () => {
  // One binding has 1024 words; chunks of elements of 1, 2 and 4 words have 960, 448 and 192 elements.
  const subject = subjectOf(make, isSweep ? [0, 1024, 1025, 2881] : [1025]);
  let watched: Awaited<ReturnType<typeof watchBindings>>;
  beforeAll(async () => {
    watched = await watchBindings();
  });
  afterAll(() => watched.stop());

  describeElementwise(subject);
  describeCompaction(subject);
  if (isSweep) {
    describeReductions(subject);
    describeMaps(subject);
    describeScans(subjectOf(make, [1920]));
    describeLocating(subjectOf(make, [1920, 2881]));
  }

  it("are what kernels make of what belongs to results, and of tables that are read whole", async () => {
    const n = 2000;
    const [p] = subject.ranks();
    const table = Int32Array.from({ length: 10 }, (_, i) => i * i);
    const terms = randomWords(2 * n, 3).map((word) => word % 1000);
    const inputs = { terms: p.fromHost("u32", terms, 2), table: p.fromHost("i32", table) };
    const at = p.fromHost(
      "u32",
      randomWords(n, 4).map((word) => word % 10),
    );
    const { sums } = await p.forEach(n, lookUp, { inputs, constants: {}, at });
    const places = await p.toHost(at);
    const expected = terms.map((term, w) => term + (w % 2 === 0 ? places[w >> 1] ** 2 : w >> 1));
    expect(Array.from(await p.toHost(sums))).toEqual(Array.from(expected));
    const long = await p.fill("i32", n, 1);
    await expect(
      p.forEach(n, lookUp, { inputs: { ...inputs, table: long }, constants: {} }),
    ).rejects.toMatchObject({ tag: "TooLarge" });
  });

  it("bind no more than they may", () => {
    expect(watched.largest).toBeGreaterThan(maxBindingBytes / 2);
    expect(watched.largest).toBeLessThanOrEqual(maxBindingBytes);
  });

  it.each([
    ["in one pass", make],
    [
      "in two passes without subgroups",
      async () => createGpuPrimitives(await bareGpu(), { maxBindingBytes }),
    ],
  ] as const)("scan %s", async (_, create) => {
    const p = await create();
    const combine = expectedOf(affine, "u32");
    for (const n of [1921, 2883]) {
      const words = randomWords(n, n).map((word) => word | 1);
      const keys = runKeys(n, 700, n);
      const values = p.fromHost("u32", words);
      const heads = p.fromHost(
        "u32",
        keys.map((key, i) => Number(i > 0 && key !== keys[i - 1])),
      );
      let running = 0;
      const forward = words.map((word, i) => {
        if (i === 0 || keys[i] !== keys[i - 1]) running = 77;
        const before = running;
        running = combine(running, word);
        return before;
      });
      const scanned = await p.exclusiveScanByKey({ heads }, values, affine, { init: 77 });
      expect(await p.toHost(scanned), `exclusive scan of ${n}`).toEqual(forward);
      const backward = new Uint32Array(n);
      for (let i = n - 1; i >= 0; i--)
        backward[i] = i === n - 1 ? words[i] : combine(backward[i + 1], words[i]);
      const reversed = await p.inclusiveScan(values, affine, { reverse: true });
      expect(await p.toHost(reversed), `reverse scan of ${n}`).toEqual(backward);
    }
    p.dispose();
  });
});

it("locates in the whole vector, whatever the chunks", async () => {
  const p = await make();
  for (const n of [1921, 2883]) {
    // NaN in all of the first chunk; of several equal ones the first is found.
    const data = Float32Array.from(randomWords(n, n), (word, i) => (i < 970 ? Number.NaN : word % 500));
    const keys = runKeys(n, 700, n);
    const values = p.fromHost("f32", data);
    const k = p.fromHost("u32", keys);
    let [least, greatest] = [noPosition, noPosition];
    const running = new Uint32Array(n).fill(noPosition);
    for (let i = 970; i < n; i++) {
      if (least === noPosition || data[i] < data[least]) least = i;
      running[i] = least;
    }
    expect(await p.toHost(await p.inclusiveScan(values, argmin)), `along ${n}`).toEqual(running);
    expect(await p.reduce(values, argmin)).toBe(least);
    const before = new Uint32Array(n);
    for (let i = n - 1; i >= 0; i--) {
      if (keys[i] !== keys[i + 1]) greatest = noPosition;
      before[i] = greatest;
      if (data[i] >= 400 && (greatest === noPosition || data[i] >= data[greatest])) greatest = i;
    }
    const options = { reverse: true, init: 400 };
    const scanned = await p.exclusiveScanByKey({ keys: k }, values, argmax, options);
    expect(await p.toHost(scanned), `in reverse segments of ${n}`).toEqual(before);
    const starts = Array.from(keys.keys()).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
    const expected = starts.map((start, r) => {
      const run = Array.from(data.subarray(start, starts[r + 1] ?? n));
      const numbers = run.filter((x) => !Number.isNaN(x));
      return numbers.length ? start + run.indexOf(Math.max(...numbers)) : noPosition;
    });
    const places = await p.reduceByKey(k, values, argmax);
    expect(Array.from(await p.toHost(places.values)), `runs of ${n}`).toEqual(expected);
    expect(Array.from(await p.toHost(places.keys))).toEqual(starts.map((start) => keys[start]));
  }
  p.dispose();
});

it("reduces what is made up without memory for it", async () => {
  const gpu = await testGpu();
  const p = await createGpuPrimitives(gpu, { strategy: chained, maxBindingBytes: 1 << 16 });
  const length = 2 ** 20 + 3;
  const counting = p.counting("u32", length);
  const before = gpu.pool.use.current;
  gpu.pool.resetPeak();
  expect(await p.reduce(counting, add)).toBe(((length * (length - 1)) / 2) % 2 ** 32);
  expect(await p.countIf(counting, isOdd)).toBe((length - 1) / 2);
  expect(await p.minmax(counting)).toEqual([0, length - 1]);
  expect(await p.argmax(counting)).toBe(length - 1);
  expect(await p.argmin(p.reversed(counting))).toBe(length - 1);
  expect(await p.argmin(p.constant("f32", length, 0.5))).toBe(0);
  expect(await p.innerProduct(counting, p.constant("u32", length, 3), add, mul)).toBe(
    (3 * ((length * (length - 1)) / 2)) % 2 ** 32,
  );
  expect(await p.back(p.counting("f32", length, 1, 0.5))).toBe(1 + (length - 1) / 2);
  expect(gpu.pool.use.peak - before).toBeLessThan(1 << 20);
  p.dispose();
});

it("submits a chain in chunks once", async () => {
  const { device } = await testGpu();
  const p = await make();
  const { queue } = device;
  const { submit } = queue;
  let submissions = 0;
  queue.submit = (buffers) => {
    submissions++;
    return submit.call(queue, buffers);
  };
  try {
    const sequence = await p.sequence("u32", 5000);
    const scanned = await p.inclusiveScan(sequence, add);
    const reversed = await p.reverse(scanned);
    const gathered = await p.gather(sequence, reversed);
    const tripled = await p.transform(gathered, triple, "u32");
    let expected = 0;
    for (let i = 0; i < 5000; i++) expected = (expected + (3 * i * (i + 1)) / 2 + 1) % 2 ** 32;
    expect(await p.reduce(tripled, add)).toBe(expected);
  } finally {
    queue.submit = submit;
    p.dispose();
  }
  expect(submissions).toBe(1);
});

it("refuses what needs a long vector whole, and says how much it binds", async () => {
  const p = await make();
  const numbers = Uint32Array.from({ length: 1025 }, (_, i) => i);
  const long = await p.sequence("u32", 1025);
  const short = p.view(long, 0, 600);
  const refused = [() => p.sort(long), () => p.merge(short, short), () => p.lowerBound(long, short)];
  for (const call of refused) {
    await expect(call()).rejects.toMatchObject({ tag: "TooLarge" });
  }
  await expect(p.sort(long)).rejects.toThrow("4096 bytes");
  expect(await p.toHost(long)).toEqual(numbers);
  const places = await p.lowerBound(short, long);
  expect(await p.toHost(places)).toEqual(numbers.map((i) => Math.min(i, 600)));
  p.dispose();
});

it("reads more than the device binds", async () => {
  const gpu = await bareGpu();
  const p = await createGpuPrimitives(gpu);
  const length = 2 ** 25 + 1;
  expect(length * 4).toBeGreaterThan(gpu.device.limits.maxStorageBufferBindingSize);
  expect(await p.reduce(p.counting("u32", length), add)).toBe(((length * (length - 1)) / 2) % 2 ** 32);
  p.dispose();
});

it("refuses to bind too little for a chunk", async () => {
  const made = createGpuPrimitives(await bareGpu(), { maxBindingBytes: 1024 });
  await expect(made).rejects.toMatchObject({ tag: "BadArgument" });
});
