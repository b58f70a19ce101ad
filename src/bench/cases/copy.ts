import { readU32 } from "../../gpu/device/transfer.ts";
import type { BenchCase } from "../case.ts";
import { timePass } from "../measure.ts";

const workgroup = 256;
const rowOfGroups = 65535;

const code = /* wgsl */ `
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4u>;

@compute @workgroup_size(${workgroup})
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * ${workgroup}u;
  if (i < arrayLength(&source)) {
    result[i] = source[i];
  }
}`;

/** Device memory copied by a kernel, 16 bytes a thread: the rate that everything else is held against. */
export const copyCase: BenchCase = {
  name: "copy",
  async run({ gpu, isQuick, n = isQuick ? 1 << 20 : 1 << 24 }) {
    const bytes = n * 16;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const scope = gpu.scope();
    try {
      const source = scope.allocate("copy: source", bytes, usage);
      const target = scope.allocate("copy: target", bytes, usage);
      const pattern = Uint32Array.from({ length: n * 4 }, (_, i) => Math.imul(i, 0x9e3779b1));
      gpu.device.queue.writeBuffer(source.buffer, 0, pattern);

      const pipeline = await gpu.pipelines.get({ label: "copy", code, entryPoint: "copy" });
      const group = gpu.device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [source, target].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
      });
      const groups = Math.ceil(n / workgroup);
      const ms = await timePass(gpu, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(Math.min(groups, rowOfGroups), Math.ceil(groups / rowOfGroups));
      });

      const ends = [0, n * 4 - 4096, n * 2];
      const parts = await Promise.all(ends.map((first) => readU32(gpu, target, first, 4096)));
      const verified = parts.every((part, k) => part.every((value, i) => value === pattern[ends[k] + i]));
      return { n, ms, bytes: 2 * bytes, verified };
    } finally {
      scope.release();
    }
  },
};
