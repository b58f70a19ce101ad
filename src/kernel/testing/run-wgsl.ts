import { shapeOf } from "../emit/blocks.ts";
import { loadsByInput } from "../emit/js/kernel.ts";
import { parameterWords, programThreads, wgslProgram } from "../emit/wgsl/program.ts";
import type { KernelProgram } from "../ir.ts";
import { elementCount, type KernelCall } from "../layout.ts";

/** Runs a kernel on a GPU and reads its outputs into the call's. */
export async function runWgsl(device: GPUDevice, program: KernelProgram, call: KernelCall): Promise<void> {
  device.pushErrorScope("validation");
  const shaped = shapeOf(program, loadsByInput(program), call);
  const made = wgslProgram(program, shaped);
  const module = device.createShaderModule({ code: made.code });
  const { messages } = await module.getCompilationInfo();
  const error = messages.find(({ type }) => type === "error");
  if (error) throw new Error(`${error.message}, line ${error.lineNum} of\n${made.code}`);
  const buffers: GPUBuffer[] = [];
  const bufferOf = (words: ArrayBufferView<ArrayBuffer>, usage: number) => {
    const buffer = device.createBuffer({
      size: Math.max(words.byteLength, 16),
      usage: usage | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, words);
    buffers.push(buffer);
    return buffer;
  };
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const words = parameterWords(program, shaped, call, made);
  const outputs = made.outputs.map((name) => bufferOf(plain(call.outputs[name]), storage));
  const bound = [
    bufferOf(words, GPUBufferUsage.UNIFORM),
    ...made.inputs.map((name) => bufferOf(plain(call.inputs[name].words), storage)),
    ...(call.at ? [bufferOf(plain(call.at.elements), storage)] : []),
    ...outputs,
  ];
  // Not "auto", which leaves out what only functions read that nothing calls.
  const readable = bound.length - outputs.length;
  const layout = device.createBindGroupLayout({
    entries: bound.map((_, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: binding === 0 ? "uniform" : binding < readable ? "read-only-storage" : "storage" },
    })),
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module },
  });
  const group = device.createBindGroup({
    layout,
    entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(elementCount(call.space) / programThreads));
  pass.end();
  const copies = outputs.map((output) => {
    const copy = device.createBuffer({
      size: output.size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    encoder.copyBufferToBuffer(output, 0, copy, 0, output.size);
    buffers.push(copy);
    return copy;
  });
  device.queue.submit([encoder.finish()]);
  const invalid = await device.popErrorScope();
  if (invalid) throw new Error(invalid.message);
  for (const [k, name] of made.outputs.entries()) {
    await copies[k].mapAsync(GPUMapMode.READ);
    const { byteLength, buffer, byteOffset } = call.outputs[name];
    new Uint8Array(buffer, byteOffset, byteLength).set(
      new Uint8Array(copies[k].getMappedRange(), 0, byteLength),
    );
  }
  for (const buffer of buffers) buffer.destroy();
}

const plain = (words: ArrayBufferView): Uint32Array<ArrayBuffer> =>
  new Uint32Array(words.buffer as ArrayBuffer, words.byteOffset, words.byteLength / 4);
