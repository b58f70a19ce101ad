import { expect, it } from "vitest";
import { add, argmax, last } from "../../../core/primitives/operators.ts";
import { randomWords, runKeys } from "../../../core/primitives/testing/data.ts";
import { expectedOf } from "../../../core/primitives/testing/expected.ts";
import { affine } from "../../../core/primitives/testing/operators.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { GpuContext } from "../../device/context.ts";
import { readU32 } from "../../device/transfer.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { laidOutForHardware } from "../../testing/hardware-layout.ts";
import { isSweep } from "../../testing/sweep.ts";
import { type PrimitiveStrategy, portableStrategy } from "../base/strategy.ts";
import {
  createReduceByKey,
  createRunLengthEncode,
  createUnique,
  createUniqueByKey,
  type Runs,
} from "./runs.ts";

const gpu = await testGpu();
const bare = await bareGpu();
const hardware = laidOutForHardware(gpu);
const recorders = new Map([gpu, bare, hardware].map((context) => [context, new Recorder(context)]));
const poison = 0xdeadbeef;
const strategies: [GpuContext, PrimitiveStrategy][] = [
  [gpu, { subgroups: true, scan: "chained" }],
  [gpu, { subgroups: true, scan: "reduce-then-scan" }],
  [bare, portableStrategy],
];

/** Keys, values and runs that come back; what lies after them has to stay poisoned. */
async function run(
  context: GpuContext,
  runs: Runs,
  keys: Uint32Array<ArrayBuffer>,
  values: Uint32Array<ArrayBuffer>,
  gpuCount?: number,
) {
  const scope = context.scope();
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  // Multiples of 4 are read four at a time.
  const offset = keys.length % 4 === 0 ? 4 : 1;
  const place = (data: Uint32Array<ArrayBuffer>) => {
    const pooled = scope.allocate("runs test", data.byteLength + 4 * offset, usage);
    context.device.queue.writeBuffer(pooled.buffer, 4 * offset, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length } };
  };
  const blank = () => place(new Uint32Array(keys.length).fill(poison));
  const [keysOut, valuesOut, total] = [blank(), blank(), place(Uint32Array.of(poison))];
  const count =
    gpuCount === undefined
      ? undefined
      : { buffer: place(Uint32Array.of(gpuCount)).view.buffer, offset, max: keys.length };
  const recorder = recorders.get(context)!;
  runs.record(recorder, {
    keys: place(keys).view,
    values: place(values).view,
    keysOut: keysOut.view,
    valuesOut: valuesOut.view,
    runs: total.view,
    count,
  });
  recorder.submit();
  const [k, v, n] = await Promise.all(
    [keysOut, valuesOut, total].map(({ pooled }) => readU32(context, pooled, offset)),
  );
  scope.release();
  expect(k.subarray(n[0]).every((word) => word === poison)).toBe(true);
  return [k.slice(0, n[0]), v] as const;
}

/** What reduce-then-scan with subgroups has of its own is in the others. */
const own = isSweep ? strategies : strategies.filter((_, i) => i !== 1);

for (const [context, strategy] of own) {
  it(`combines, counts and names runs: ${strategy.scan}, subgroups ${strategy.subgroups}`, async () => {
    const made = {
      sum: await createReduceByKey(context, "u32", "u32", add, strategy),
      last: await createReduceByKey(context, "u32", "u32", last, strategy),
      length: await createRunLengthEncode(context, "u32", strategy),
      first: await createUniqueByKey(context, "u32", strategy),
      unique: await createUnique(context, "u32", strategy),
    };
    for (const [n, spread, count] of [
      [1, 1, undefined],
      [5000, 1, undefined],
      [9000, 3, 8777],
      [9001, 3, 8777],
      [9001, 3, 0],
      [9001, 1e9, undefined],
    ] as const) {
      let key = 3;
      const keys = Uint32Array.from({ length: n }, (_, i) =>
        ((i * 7919) >>> 3) % spread === 0 ? ++key % 5 : key % 5,
      );
      const values = Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
      const expected = {
        keys: [] as number[],
        sum: [] as number[],
        last: [] as number[],
        length: [] as number[],
        first: [] as number[],
      };
      for (let i = 0; i < (count ?? n); i++) {
        if (i === 0 || keys[i] !== keys[i - 1]) {
          expected.keys.push(keys[i]);
          expected.first.push(values[i]);
          expected.sum.push(0);
          expected.length.push(0);
          expected.last.push(0);
        }
        const at = expected.keys.length - 1;
        expected.sum[at] = (expected.sum[at] + values[i]) >>> 0;
        expected.last[at] = values[i];
        expected.length[at]++;
      }
      for (const what of ["sum", "last", "length", "first"] as const) {
        const [gotKeys, got] = await run(context, made[what], keys, values, count);
        expect([...gotKeys], `${what} ${n}`).toEqual(expected.keys);
        expect([...got.subarray(0, expected.keys.length)], `${what} ${n}`).toEqual(expected[what]);
        expect(got.subarray(expected.keys.length).every((word) => word === poison)).toBe(true);
      }
      expect([...(await run(context, made.unique, keys, values, count))[0]]).toEqual(expected.keys);
    }
  });
}

// There are always silent tiles, and tiles after them.
it.each(
  isSweep
    ? [
        [2, 24.5],
        [8, 36.6],
        [512, 540.3],
      ]
    : [[8, 36.6]],
)("passes tiles that never post, one in %d", async (silent, tiles) => {
  const n = Math.floor(tiles * (gpu.adapter.isSoftware ? 1024 : 4096));
  const [keys, values] = [runKeys(n, 20_000, 3), randomWords(n, 4)] as Uint32Array<ArrayBuffer>[];
  const starts = Array.from(keys.keys()).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
  const expectedKeys = starts.map((start) => keys[start]);
  const combine = expectedOf(affine, "u32");
  const expected = starts.map((start, r) =>
    values.subarray(start, starts[r + 1] ?? n).reduce((a, b) => combine(a, b)),
  );
  const chained = strategies[0][1];
  const sums = await createReduceByKey(gpu, "u32", "u32", affine, chained, silent);
  const [gotKeys, got] = await run(gpu, sums, keys, values);
  expect([...gotKeys]).toEqual(expectedKeys);
  expect([...got.subarray(0, expected.length)]).toEqual(expected);
  const places = await createReduceByKey(gpu, "u32", "u32", argmax, chained, silent);
  const [, positions] = await run(gpu, places, keys, values);
  const expectedPlaces = starts.map((start, r) => {
    const end = starts[r + 1] ?? n;
    return start + values.subarray(start, end).reduce((at, x, i, part) => (x > part[at] ? i : at), 0);
  });
  expect([...positions.subarray(0, expected.length)]).toEqual(expectedPlaces);
  const unique = await createUnique(gpu, "u32", chained, silent);
  expect([...(await run(gpu, unique, keys, values))[0]]).toEqual(expectedKeys);
});

it.runIf(isSweep)("finds runs in the larger tiles of hardware", async () => {
  const [keys, values] = [runKeys(20_000, 900, 3), randomWords(20_000, 4)] as Uint32Array<ArrayBuffer>[];
  const starts = Array.from(keys.keys()).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
  const combine = expectedOf(affine, "u32");
  const expected = starts.map((start, r) =>
    values.subarray(start, starts[r + 1] ?? keys.length).reduce((a, b) => combine(a, b)),
  );
  for (const [, strategy] of strategies.slice(0, 2)) {
    const sums = await createReduceByKey(hardware, "u32", "u32", affine, strategy);
    const [gotKeys, got] = await run(hardware, sums, keys, values);
    expect([...gotKeys]).toEqual(starts.map((start) => keys[start]));
    expect([...got.subarray(0, expected.length)]).toEqual(expected);
  }
});
