import fc from "fast-check";
import { expect, it } from "vitest";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { Recorder } from "../../compute/recorder.ts";
import type { Count, View } from "../../compute/view.ts";
import { readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createReverse } from "./reverse.ts";
import type { Source } from "./sources.ts";
import { createTransform, type TransformKernel } from "./transform.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const poison = 0xdeadbeef;
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

type Data = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
const arrays = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/** Places data at an offset, poison around it, and gives what `record` left, with what lay around it checked. */
async function withOutput(
  n: number,
  { offset = 0, after = 5, count = n }: { offset?: number; after?: number; count?: number },
  record: (output: View, place: (data: Data) => View) => void,
  words = 1,
): Promise<Uint32Array<ArrayBuffer>> {
  const scope = gpu.scope();
  const place = (data: Data) => {
    const pooled = scope.allocate("elementwise test", (offset + data.length + after) * 4, usage);
    gpu.device.queue.writeBuffer(
      pooled.buffer,
      0,
      new Uint32Array(offset + data.length + after).fill(poison),
    );
    gpu.device.queue.writeBuffer(pooled.buffer, offset * 4, data);
    return { pooled, view: { buffer: pooled.buffer, offset, length: data.length / words } };
  };
  const output = place(new Uint32Array(n * words).fill(poison));
  record(output.view, (data) => place(data).view);
  recorder.submit();
  const all = await readU32(gpu, output.pooled);
  scope.release();
  expect(all.subarray(0, offset).every((word) => word === poison)).toBe(true);
  expect(all.subarray(offset + count * words).every((word) => word === poison)).toBe(true);
  return all.slice(offset, offset + count * words);
}

const noise = (n: number) => Uint32Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
const view = (given: View): Source => ({ kind: "view", view: given });
const sizes = [0, 1, 3, 4, 5, 255, 1023, 1024, 1025, 4099];
const places = [
  { offset: 0, after: 1 },
  { offset: 4, after: 4 },
  { offset: 67, after: 5 },
];

it("applies a function of one element, at any size and place", async () => {
  const kernel: TransformKernel = {
    name: "hash",
    inputs: [{ kind: "view", type: "u32" }],
    type: "u32",
    text: "(x0 ^ (x0 >> 3u)) * 2654435761u",
  };
  const transform = await createTransform(gpu, kernel);
  for (const n of sizes) {
    for (const at of places) {
      const data = noise(n);
      const got = await withOutput(n, at, (output, place) =>
        transform.record(recorder, { inputs: [view(place(data))], output }),
      );
      expect(got).toEqual(data.map((x) => Math.imul(x ^ (x >>> 3), 2654435761)));
    }
  }
});

it("zips six vectors of three types", async () => {
  const types: ScalarType[] = ["f32", "i32", "u32", "f32", "i32", "u32"];
  const kernel: TransformKernel = {
    name: "six",
    inputs: types.map((type) => ({ kind: "view", type })),
    type: "f32",
    text: "x0 + f32(x1) * 2.0 + f32(x2) + x3 * f32(x4) - f32(x5)",
  };
  const transform = await createTransform(gpu, kernel);
  const n = 1030;
  const vectors = types.map((type, k) =>
    Array.from({ length: n }, (_, i) => ((i * (k + 3)) % 97) - (type === "u32" ? 0 : 40)),
  );
  const got = await withOutput(n, { offset: 1 }, (output, place) =>
    transform.record(recorder, {
      inputs: vectors.map((data, k) => view(place(arrays[types[k]].from(data)))),
      output,
    }),
  );
  const expected = Float32Array.from(
    { length: n },
    (_, i) =>
      vectors[0][i] + vectors[1][i] * 2 + vectors[2][i] + vectors[3][i] * vectors[4][i] - vectors[5][i],
  );
  expect(new Float32Array(got.buffer)).toEqual(expected);
});

it("fills, counts, reverses and permutes without memory for it", async () => {
  const kernel: TransformKernel = {
    name: "sources",
    inputs: [
      { kind: "counting", type: "i32" },
      { kind: "constant", type: "i32" },
      { kind: "reversed", type: "i32" },
      { kind: "permuted", type: "i32" },
    ],
    type: "i32",
    text: "x0 * 3 + x1 + x2 - x3",
  };
  const transform = await createTransform(gpu, kernel);
  const n = 1025;
  const data = Int32Array.from({ length: n }, (_, i) => (i * 7919) % 4001);
  const table = Int32Array.from({ length: 50 }, (_, i) => i * i - 3);
  const map = noise(n).map((x) => x % 53);
  for (const at of places) {
    const got = await withOutput(n, at, (output, place) =>
      transform.record(recorder, {
        inputs: [
          { kind: "counting", start: -5, step: 2 },
          { kind: "constant", value: -100 },
          { kind: "reversed", view: place(data) },
          { kind: "permuted", view: place(table), map: place(map) },
        ],
        output,
      }),
    );
    const expected = data.map(
      (_, i) => (-5 + 2 * i) * 3 - 100 + data[n - 1 - i] - (map[i] < 50 ? table[map[i]] : 0),
    );
    expect(new Int32Array(got.buffer)).toEqual(expected);
  }
});

it("computes in place, and as many as a count on the GPU says", async () => {
  const transform = await createTransform(gpu, {
    name: "double",
    inputs: [{ kind: "output", type: "f32" }],
    type: "f32",
    text: "x0 * 2.0",
  });
  const identity = await createTransform(gpu, {
    name: "identity",
    inputs: [{ kind: "counting", type: "f32" }],
    type: "f32",
    text: "x0",
  });
  for (const count of [0, 1, 6, 1030, 2000]) {
    const max = Math.min(count, 1030);
    const got = await withOutput(1030, { offset: 8, count: max }, (output, place) => {
      const counted: Count = { buffer: place(Uint32Array.of(count)).buffer, offset: 8, max: 1030 };
      const inputs: Source[] = [{ kind: "counting", start: 0.5, step: 0.25 }];
      identity.record(recorder, { inputs, output, count: counted });
      transform.record(recorder, { inputs: [{ kind: "output" }], output, count: counted });
    });
    expect(new Float32Array(got.buffer)).toEqual(Float32Array.from({ length: max }, (_, i) => 1 + i / 2));
  }
});

it("takes as many inputs as a function can have parameters, and refuses more", async () => {
  const summing = (n: number) =>
    createTransform(gpu, {
      name: "sum",
      inputs: Array.from({ length: n }, () => ({ kind: "constant", type: "u32" }) as const),
      type: "u32",
      text: Array.from({ length: n }, (_, k) => `x${k}`).join(" + "),
    });
  for (const n of [20, 21, 255]) {
    const sum = await summing(n);
    const got = await withOutput(9, { offset: 0 }, (output) => {
      for (const factor of [1, 2]) {
        const inputs: Source[] = Array.from({ length: n }, (_, k) => ({
          kind: "constant",
          value: factor * k,
        }));
        sum.record(recorder, { inputs, output });
      }
    });
    expect(got).toEqual(new Uint32Array(9).fill(n * (n - 1)));
  }
  await expect(summing(256)).rejects.toMatchObject({ tag: "TooLarge" });
});

it("reverses elements of one to four words", async () => {
  for (const words of [1, 2, 3, 4]) {
    const reverse = await createReverse(gpu, words);
    for (const n of [0, 1, 5, 1025]) {
      const data = noise(n * words);
      const got = await withOutput(
        n,
        { offset: 3 },
        (output, place) => reverse.record(recorder, { input: place(data), output }),
        words,
      );
      const expected = data.map((_, w) => data[(n - 1 - Math.floor(w / words)) * words + (w % words)]);
      expect(got).toEqual(expected);
    }
  }
});

it("chains in one recording as its parts say", async () => {
  const step = await createTransform(gpu, {
    name: "step",
    inputs: [
      { kind: "view", type: "u32" },
      { kind: "constant", type: "u32" },
    ],
    type: "u32",
    text: "x0 * 3u + x1",
  });
  const turn = await createReverse(gpu);
  const operation = fc.oneof(fc.nat({ max: 1000 }), fc.constant("reverse" as const));
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 3000 }),
      fc.constantFrom(0, 4, 5),
      async (operations, n, offset) => {
        let expected = noise(n);
        for (const op of operations) {
          expected =
            op === "reverse" ? expected.slice().reverse() : expected.map((x) => Math.imul(x, 3) + op);
        }
        const got = await withOutput(n, { offset }, (output, place) => {
          let from = place(noise(n));
          operations.forEach((op, k) => {
            const to = k === operations.length - 1 ? output : place(new Uint32Array(n));
            if (op === "reverse") turn.record(recorder, { input: from, output: to });
            else {
              step.record(recorder, { inputs: [view(from), { kind: "constant", value: op }], output: to });
            }
            from = to;
          });
        });
        expect(got).toEqual(expected);
      },
    ),
    { numRuns: 15 },
  );
});

it("refuses what does not fit before anything is recorded", async () => {
  const transform = await createTransform(gpu, {
    name: "identity",
    inputs: [{ kind: "view", type: "u32" }],
    type: "u32",
    text: "x0",
  });
  const scope = gpu.scope();
  const [a, b] = [16, 64].map((bytes) => scope.allocate("refused", bytes, usage).buffer);
  const short = { buffer: a, offset: 0, length: 4 };
  const long = { buffer: b, offset: 0, length: 16 };
  const kernels = gpu.counters.kernels;
  expect(() => transform.record(recorder, { inputs: [view(short)], output: long })).toThrow(
    "The function “identity” was asked for 16 elements, and a vector of it has 4.",
  );
  expect(() => transform.record(recorder, { inputs: [view(long)], output: long })).toThrow(
    "output of its own",
  );
  const beyond = { ...long, offset: 8 };
  expect(() => transform.record(recorder, { inputs: [view(beyond)], output: short })).toThrow("lie within");
  expect(() =>
    transform.record(recorder, { inputs: [{ kind: "constant", value: 1 }], output: short }),
  ).toThrow("was made for view and was given constant");
  const many: TransformKernel = {
    name: "many",
    inputs: Array.from({ length: 40 }, () => ({ kind: "view", type: "u32" })),
    type: "u32",
    text: "x0",
  };
  await expect(createTransform(gpu, many)).rejects.toThrow("Combine fewer vectors");
  expect(gpu.counters.kernels).toBe(kernels);
  scope.release();
});
