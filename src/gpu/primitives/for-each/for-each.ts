import { CrinkleError } from "../../../core/errors.ts";
import type { ConstantValues } from "../../../core/primitives/access.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { elementsName, type ForEachKernel, forEachCode, forEachThreads, storageBindings } from "./code.ts";
import { constantsOf } from "./constants.ts";

/** Elements, by themselves or through a map, where indices out of range give 0. */
export interface Read {
  readonly view: View;
  /** The position of the view's first element, where the input is read at positions; 0 where it is left out. */
  readonly origin?: number;
  readonly map?: View;
}

export interface ForEachOperands {
  /** The place of the first result; those of a vector of its own places begin there. */
  readonly first: number;
  readonly count: number;
  /** In the order of the kernel's signature. */
  readonly inputs: readonly Read[];
  readonly outputs: readonly View[];
  readonly constants: ConstantValues;
  /** Where the kernel was made for it: the element of each result. */
  readonly at?: Read;
}

export interface ForEach {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ForEachOperands): void;
}

/**
 * A kernel over elements: reads what it reads, and writes 4 bytes for each word of a result. Throws TooLarge where it
 * reads and writes more vectors than the device binds, ShaderError where its code does not compile.
 */
export async function createForEach(gpu: GpuContext, made: ForEachKernel): Promise<ForEach> {
  const { kernel, mapped } = made;
  checkBindings(gpu, made);
  const names = Object.keys(kernel.inputs);
  const slots = [kernel.inputs, kernel.outputs].flatMap((side) => Object.entries(side));
  const words = slots.map(([, { components = 1 }]) => components);
  const what = `forEach (“${kernel.name}”)`;
  const pipeline = await gpu.pipelines.get({
    label: `for each: ${kernel.name}`,
    code: forEachCode(made),
    entryPoint: "for_each",
  });
  return {
    record(recorder, { first, count, inputs, outputs, constants, at }) {
      const views = [...inputs.map(({ view }) => view), ...outputs];
      for (let k = 0; k < views.length; k++) checkView(gpu.device, slots[k][0], views[k], words[k]);
      if (at) checkView(gpu.device, "at", at.view);
      const read = mapped.map((name) => (name === elementsName ? at! : inputs[names.indexOf(name)]));
      for (const { map } of read) checkView(gpu.device, "map", map!);
      const reads: View[] = [];
      for (const { view, map } of at ? [...inputs, at] : inputs) {
        reads.push(view);
        if (map) reads.push(map);
      }
      checkApart(what, reads, outputs);
      if (count === 0) return;
      const bound = views.map((view, k) => bindView(view, words[k]));
      const elements = at && bindView(at.view);
      const maps = read.map(({ map }) => bindView(map!));
      const parameters = [count, first, elements?.lead ?? 0];
      for (const [k, { lead }] of bound.entries())
        parameters.push(lead - (inputs[k]?.origin ?? 0) * words[k]);
      for (let k = 0; k < maps.length; k++) parameters.push(maps[k].lead, read[k].view.length);
      const values = constantsOf(kernel, constants);
      const bindings: (GPUBufferBinding | undefined)[] = [
        recorder.parameters(parameters),
        values.length > 0 ? recorder.parameters(values) : undefined,
      ];
      for (let k = 0; k < bound.length; k++) {
        if (k === inputs.length && elements) bindings.push(elements.resource);
        bindings.push(bound[k].resource);
      }
      for (const { resource } of maps) bindings.push(resource);
      recorder.dispatch(pipeline, bindings, Math.ceil(count / forEachThreads));
    },
  };
}

function checkBindings({ maxStorageBuffers }: GpuContext, made: ForEachKernel): void {
  const { kernel } = made;
  const bound = storageBindings(made);
  if (bound <= maxStorageBuffers) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `The kernel “${kernel.name}” reads and writes ${bound} vectors; this device binds ${maxStorageBuffers}.`,
    remedy: "Make its results by several kernels.",
  });
}
