import type { GpuContext } from "../../gpu/device/context.ts";
import { readU32 } from "../../gpu/device/transfer.ts";
import { dispatchExtents, linearGroup } from "../../gpu/shader/dispatch.ts";
import { linkFragments } from "../../gpu/shader/fragment.ts";
import type { BenchCase, Measurement } from "../case.ts";
import { timePass } from "../measure.ts";
import { repeat } from "./repeated.ts";

const workgroup = 256;

const code = /* wgsl */ `
${linkFragments(linearGroup)}
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4u>;

@compute @workgroup_size(${workgroup})
fn copy(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let i = linear_group(group, groups) * ${workgroup}u + thread;
  if (i < arrayLength(&source)) { result[i] = source[i]; }
}`;

/** Words after which what is copied repeats. */
const period = 1 << 16;

/** Copies n words (a multiple of 4) of device memory by a kernel, 16 bytes a thread. */
async function measureCopy(gpu: GpuContext, n: number): Promise<Measurement> {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const scope = gpu.scope();
  try {
    const pattern = Uint32Array.from({ length: Math.min(n, period) }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
    const source = repeat(gpu, scope, n, pattern);
    const target = scope.allocate("copy: target", n * 4, usage);
    const pipeline = await gpu.pipelines.get({ label: "copy", code, entryPoint: "copy" });
    const group = gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [source, target].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
    });
    const extents = dispatchExtents(Math.ceil(n / 4 / workgroup));
    const ms = await timePass(gpu, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...extents);
    });
    const length = Math.min(n, 4096);
    const starts = [0, Math.floor(n / 8) * 4, n - length].map((start) => Math.min(start, n - length));
    const parts = await Promise.all(starts.map((first) => readU32(gpu, target, first, length)));
    const verified = parts.every((part, k) =>
      part.every((value, i) => value === pattern[(starts[k] + i) % period]),
    );
    return { n, ms, bytes: 8 * n, verified };
  } finally {
    scope.release();
  }
}

/** The rate that everything else is held against. n: words. */
export const copyCase: BenchCase = {
  name: "copy",
  run: ({ gpu, isQuick, n = isQuick ? 1 << 20 : 1 << 28 }) =>
    measureCopy(gpu, Math.min(Math.ceil(n / 4) * 4, Math.floor(gpu.pool.largestBinding / 16) * 4)),
};

/** Rates of the copy at other sizes, each measured once. */
export class CopyRates {
  readonly #gpu: GpuContext;
  readonly #rates = new Map<number, Promise<number>>();

  constructor(gpu: GpuContext) {
    this.#gpu = gpu;
  }

  /** Takes over what was measured. */
  add({ n, bytes, ms }: Measurement): void {
    this.#rates.set(2 ** Math.round(Math.log2(n)), Promise.resolve(bytes / ms / 1e6));
  }

  /** 10⁹ bytes a second of a copy that moves about as many bytes: a power of two between 2¹³ and 2³¹. */
  at(bytes: number): Promise<number> {
    const most = Math.floor(Math.log2(this.#gpu.pool.largestBinding / 4));
    const words = 2 ** Math.min(most, 28, Math.max(10, Math.round(Math.log2(Math.max(bytes, 1) / 8))));
    let rate = this.#rates.get(words);
    if (!rate) {
      rate = measureCopy(this.#gpu, words).then(({ bytes, ms }) => bytes / ms / 1e6);
      this.#rates.set(words, rate);
    }
    return rate;
  }
}
