import { CrinkleError } from "../core/errors.ts";
import { formatBytes, formatCount } from "../core/format.ts";
import { type Grid, valueCount, valueDims } from "../core/grid.ts";
import { submitPass } from "../gpu/compute/dispatch.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import type { BufferInput } from "./read-fields.ts";
import { badArgument } from "./refusal.ts";

/** The caller's buffers as fields, which nobody here frees. Throws BadArgument, TooLarge. */
export async function bufferFields(
  gpu: GpuContext,
  grid: Grid,
  inputs: readonly BufferInput[],
): Promise<GpuField[]> {
  const fields = inputs.map((input) => bufferField(gpu.device, grid, input));
  await requireUsable(gpu, fields);
  return fields;
}

function bufferField({ limits }: GPUDevice, grid: Grid, input: BufferInput): GpuField {
  const { name, buffer, offset, centering = "node", components = 1 } = input;
  const what = `The field “${name}”`;
  const count = valueCount(grid, centering);
  const size = count * components * 4;
  const alignment = limits.minStorageBufferOffsetAlignment;
  if (offset % alignment !== 0) {
    throw badArgument(
      `${what} begins at byte ${offset} of its buffer.`,
      `This device wants a multiple of ${alignment}.`,
    );
  }
  if (buffer.size - offset < size) {
    throw badArgument(
      `${what} has ${formatCount(Math.max(0, buffer.size - offset))} bytes where ${formatCount(count)} ${centering}s of ${components} f32 need ${formatCount(size)}.`,
      "Check the grid's dims, components, centering and offset.",
    );
  }
  if ((buffer.usage & GPUBufferUsage.STORAGE) === 0) {
    throw badArgument(
      `${what} lies in a buffer without the usage STORAGE.`,
      "Create it with GPUBufferUsage.STORAGE.",
    );
  }
  if (buffer.mapState !== "unmapped") {
    throw badArgument(`${what} lies in a buffer that is mapped.`, "Call its unmap() first.");
  }
  if (size > limits.maxStorageBufferBindingSize) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `${what} has ${formatBytes(size)}; this device binds ${formatBytes(limits.maxStorageBufferBindingSize)}.`,
      remedy:
        "Ask for the adapter's maxStorageBufferBindingSize when you request the device, or give arrays.",
    });
  }
  return {
    name,
    centering,
    components,
    dims: valueDims(grid, centering),
    count,
    buffer: { buffer, size, offset, label: `the field “${name}”`, release: () => {} },
    offsets: new Array<number>(components).fill(0),
  };
}

/** Lets the device itself look at the buffers: those of another device, and destroyed ones, only it can tell. */
async function requireUsable(gpu: GpuContext, fields: readonly GpuField[]): Promise<void> {
  const { device } = gpu;
  const layout = device.createBindGroupLayout({
    entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: "read-only-storage" } }],
  });
  const faults = fields.map(({ name, buffer: { buffer, offset, size } }) => {
    device.pushErrorScope("validation");
    const resource = { buffer, offset, size };
    const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource }] });
    submitPass(gpu, `check of ${name}`, (pass) => pass.setBindGroup(0, group));
    return device.popErrorScope();
  });
  for (const [k, fault] of (await gpu.guard(Promise.all(faults))).entries()) {
    if (!fault) continue;
    throw badArgument(
      `The device refuses the buffer of the field “${fields[k].name}”: ${fault.message.split("\n")[0]}`,
      "Give a buffer that lives, of the device given as device.",
    );
  }
}
