import { CrinkleError } from "../../../core/errors.ts";
import { type ConstantValues, type Kernel, valuesOf } from "../../../core/primitives/kernel.ts";
import type { GpuContext } from "../../device/context.ts";
import { toWord } from "../base/operator-wgsl.ts";
import type { Recorder } from "../base/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../base/view.ts";
import { constantWords, forEachCode, forEachThreads, storageBindings } from "./code.ts";

export interface ForEachOperands {
  /** The place of the first result; those of a vector of its own places begin there. */
  readonly first: number;
  readonly count: number;
  /** In the order of the kernel's signature. */
  readonly inputs: readonly View[];
  readonly outputs: readonly View[];
  readonly constants: ConstantValues;
  /** Where the kernel was made for it: the element of each result. */
  readonly at?: View;
}

export interface ForEach {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ForEachOperands): void;
}

/**
 * A kernel over elements: reads what it reads, and writes 4 bytes for each word of a result. Throws TooLarge where it
 * reads and writes more vectors than the device binds, ShaderError where its code does not compile.
 */
export async function createForEach(gpu: GpuContext, kernel: Kernel, hasAt: boolean): Promise<ForEach> {
  checkBindings(gpu, kernel, hasAt);
  const slots = [kernel.inputs, kernel.outputs].flatMap((side) => Object.entries(side));
  const pipeline = await gpu.pipelines.get({
    label: `for each: ${kernel.name}`,
    code: forEachCode(kernel, hasAt),
    entryPoint: "for_each",
  });
  return {
    record(recorder, { first, count, inputs, outputs, constants, at }) {
      const views = [...inputs, ...outputs];
      const words = views.map((_, k) => slots[k][1].components ?? 1);
      for (const [k, view] of views.entries()) checkView(gpu.device, slots[k][0], view, words[k]);
      if (at) checkView(gpu.device, "at", at);
      checkApart(`forEach (“${kernel.name}”)`, at ? [...inputs, at] : inputs, outputs);
      if (count === 0) return;
      const bound = views.map((view, k) => bindView(view, words[k]));
      const places = at && bindView(at);
      const parameters = [count, first, places?.lead ?? 0, ...bound.map(({ lead }) => lead)];
      const values = constantsOf(kernel, constants);
      const storage = bound.map(({ resource }) => resource);
      recorder.dispatch(
        pipeline,
        [
          recorder.parameters(parameters),
          values.length > 0 ? recorder.parameters(values) : undefined,
          ...storage.slice(0, inputs.length),
          ...(places ? [places.resource] : []),
          ...storage.slice(inputs.length),
        ],
        Math.ceil(count / forEachThreads),
      );
    },
  };
}

/** Constants as words, each from a multiple of 16 bytes. */
function constantsOf({ constants }: Kernel, values: ConstantValues): number[] {
  return Object.entries(constants).flatMap(([name, { type }]) => {
    const words = valuesOf(values, name).map((value) => toWord(type, value));
    return [...words, ...Array<number>(constantWords - words.length).fill(0)];
  });
}

function checkBindings({ device }: GpuContext, kernel: Kernel, hasAt: boolean): void {
  const bound = storageBindings(kernel, hasAt);
  const most = device.limits.maxStorageBuffersPerShaderStage;
  if (bound <= most) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `The kernel “${kernel.name}” reads and writes ${bound} vectors; this device binds ${most}.`,
    remedy: "Make its results by several kernels.",
  });
}
