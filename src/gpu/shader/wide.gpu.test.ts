import { expect, it } from "vitest";
import { readU32 } from "../device/transfer.ts";
import { testGpu } from "../testing/context.ts";
import { linkFragments } from "./fragment.ts";
import { wideCode } from "./wide.ts";

const gpu = await testGpu();

const code = linkFragments({
  name: "wide integers: test",
  code: /* wgsl */ `${wideCode}
@group(0) @binding(0) var<storage, read> given: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4u>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  let i = group.x;
  let a = given[4u * i];
  let b = given[4u * i + 1u];
  let c = given[4u * i + 2u];
  let d = given[4u * i + 3u];
  results[5u * i] = vec4u(wide_sum(a, b), wide_negative(c));
  let one = widest_product(wide_magnitude(a), wide_magnitude(b));
  let other = widest_product(wide_magnitude(c), wide_magnitude(d));
  results[5u * i + 1u] = one;
  let order = widest_order(one, other);
  if (order < 0) {
    results[5u * i + 2u] = widest_difference(other, one);
  } else {
    results[5u * i + 2u] = widest_difference(one, other);
  }
  results[5u * i + 3u] = vec4u(bitcast<u32>(order), bitcast<u32>(sign_of_products(a, b, c, d)),
    bitcast<u32>(wide_number(a)), bitcast<u32>(widest_number(one)));
  results[5u * i + 4u] = vec4u(wide_times(bitcast<i32>(a.x), bitcast<i32>(b.x)), 0u, 0u);
}
`,
});

const wordsOf = (x: bigint, count: number) =>
  Array.from({ length: count }, (_, word) => Number(BigInt.asUintN(32, x >> BigInt(32 * word))));

const signOf = (x: bigint) => (x > 0n ? 1 : x < 0n ? -1 : 0);
const magnitude = (x: bigint) => (x < 0n ? -x : x);

it("adds, multiplies and compares as whole numbers do", async () => {
  let state = 7n;
  const random = (bits: number): bigint => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return BigInt.asIntN(bits, state >> 5n);
  };
  const cases: (readonly bigint[])[] = [
    [0n, 5n, 0n, -3n],
    [6n, 4n, -8n, 3n],
    [2n ** 32n, 2n ** 32n, -(2n ** 31n), 2n ** 33n],
    [-1n, 2n ** 62n, 2n ** 62n, 1n],
    [2n ** 32n - 1n, 2n ** 32n - 1n, -(2n ** 32n), 2n ** 32n - 2n],
  ];
  for (const bits of [3, 25, 33, 52, 63]) {
    for (let run = 0; run < 12; run++) cases.push([0, 1, 2, 3].map(() => random(bits)));
  }
  const input = Uint32Array.from(cases.flat().flatMap((x) => wordsOf(x, 2)));
  const pipeline = await gpu.pipelines.get({ label: "wide integers: test", code, entryPoint: "main" });
  const scope = gpu.scope();
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const given = scope.allocate("given", input.byteLength, STORAGE | COPY_DST);
  const results = scope.allocate("results", cases.length * 80, STORAGE | COPY_SRC);
  gpu.device.queue.writeBuffer(given.buffer, 0, input);
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const entries = [given, results].map(({ buffer }, binding) => ({ binding, resource: { buffer } }));
  pass.setBindGroup(0, gpu.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(cases.length);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  const words = await readU32(gpu, results);
  scope.release();
  const float = new Float32Array(1);
  const bitsOf = (x: number) => {
    float[0] = x;
    return new Uint32Array(float.buffer)[0];
  };
  for (const [i, [a, b, c, d]] of cases.entries()) {
    const got = [...words.subarray(20 * i, 20 * i + 20)];
    const [one, other] = [magnitude(a * b), magnitude(c * d)];
    const [low, high] = [a, b].map((x) => BigInt.asIntN(32, x));
    const what = `${[a, b, c, d]}`;
    expect(got.slice(0, 4), what).toEqual([...wordsOf(a + b, 2), ...wordsOf(-c, 2)]);
    expect(got.slice(4, 12), what).toEqual([...wordsOf(one, 4), ...wordsOf(magnitude(one - other), 4)]);
    const signs = [signOf(one - other), signOf(a * b + c * d)].map((sign) => sign >>> 0);
    expect(got.slice(12, 14), what).toEqual(signs);
    for (const [k, expected] of [a, one].entries()) {
      const bits = bitsOf(Number(expected));
      expect(Math.abs(got[14 + k] - bits), `${what}: ${expected}`).toBeLessThanOrEqual(2);
    }
    expect(got.slice(16, 18), what).toEqual(wordsOf(low * high, 2));
  }
});
