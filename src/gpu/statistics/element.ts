import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";
import { readBytes } from "../device/transfer.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { finite } from "../shader/finite.ts";
import type { Fragment } from "../shader/fragment.ts";
import { makeShaderDataDefinitions, makeStructuredView, type StructuredView } from "../shader/layout.ts";

/** Threads of a workgroup, and workgroups at most: each thread strides over the field. */
const threads = 256;
const maxGroups = 1024;

/**
 * The number that statistics are about: a scalar without its offset, or the magnitude of several components with
 * theirs, scaled by the largest so that squares do not overflow.
 */
export const element: Fragment = {
  name: "element",
  requires: [finite],
  code: /* wgsl */ `
struct FieldShape {
  count: u32,
  components: u32,
  first_bin: f32,
  bins_per_unit: f32,
  bins: u32,
  prefix: u32,
  prefix_mask: u32,
  shift: u32,
  wanted: f32,
}

@group(0) @binding(0) var<uniform> shape: FieldShape;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> offsets: array<f32>;

const threads = ${threads}u;
const largest = 0x1.fffffep+127f;
const is_number = 0u;
const is_infinity = 1u;
const is_no_number = 2u;

struct Element {
  value: f32,
  kind: u32,
}

fn kind_of(x: f32) -> u32 {
  return select(select(is_infinity, is_no_number, is_nan(x)), is_number, is_finite(x));
}

fn element_at(i: u32) -> Element {
  if (shape.components == 1u) {
    return Element(field[i], kind_of(field[i]));
  }
  var kind = is_number;
  var most = 0.0;
  for (var c = 0u; c < shape.components; c++) {
    let x = field[c * shape.count + i];
    kind = max(kind, kind_of(x));
    most = max(most, abs(x + offsets[c]));
  }
  if (kind != is_number || most == 0.0) {
    return Element(0.0, kind);
  }
  var squares = 0.0;
  for (var c = 0u; c < shape.components; c++) {
    let x = (field[c * shape.count + i] + offsets[c]) / most;
    squares += x * x;
  }
  return Element(min(most * sqrt(squares), largest), kind);
}
`,
};

let definitions: ReturnType<typeof makeShaderDataDefinitions> | undefined;

/** Parsed when first asked for: WebGPU's globals may come after this module. */
function shapeView(): StructuredView {
  definitions ??= makeShaderDataDefinitions(element.code);
  return makeStructuredView(definitions.uniforms.shape);
}

/** What kernels look for, by the names of the shape's members. */
export interface Question {
  readonly first_bin?: number;
  readonly bins_per_unit?: number;
  readonly bins?: number;
  readonly prefix?: number;
  readonly prefix_mask?: number;
  readonly shift?: number;
  readonly wanted?: number;
  /** Numbers that the kernel finds at binding 4. */
  readonly table?: Float32Array<ArrayBuffer>;
}

/**
 * Runs a kernel over a field's elements and reads its result back. The kernel finds the
 * result at binding 3, all zeros at first; its size may depend on the number of workgroups.
 */
export async function reduceElements(
  gpu: GpuContext,
  shader: ShaderRecord,
  field: GpuField,
  resultBytes: (groups: number) => number,
  { table, ...question }: Question = {},
): Promise<ArrayBuffer> {
  const pipeline = await gpu.pipelines.get(shader);
  const groups = Math.min(maxGroups, Math.ceil(field.count / threads));
  const shape = shapeView();
  shape.set({ count: field.count, components: field.components, ...question });
  const { UNIFORM, STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const { device } = gpu;
  const scope = gpu.scope();
  const send = (what: string, data: ArrayBuffer, usage: number): GPUBuffer => {
    const { buffer } = scope.allocate(`${shader.label}: ${what}`, data.byteLength, usage | COPY_DST);
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  };
  try {
    const uniform = send("shape", shape.arrayBuffer, UNIFORM);
    const offsets = send("offsets", new Float32Array(field.offsets).buffer, STORAGE);
    const tables = table ? [send("table", table.buffer, STORAGE)] : [];
    const result = scope.allocate(`${shader.label}: result`, resultBytes(groups), STORAGE | COPY_SRC);
    const encoder = device.createCommandEncoder({ label: shader.label });
    const pass = encoder.beginComputePass({ label: shader.label });
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        label: shader.label,
        layout: pipeline.getBindGroupLayout(0),
        entries: [uniform, field.buffer.buffer, offsets, result.buffer, ...tables].map((buffer, binding) => ({
          binding,
          resource: { buffer },
        })),
      }),
    );
    pass.dispatchWorkgroups(groups);
    pass.end();
    device.queue.submit([encoder.finish()]);
    gpu.counters.kernels++;
    return await readBytes(gpu, result);
  } finally {
    scope.release();
  }
}
