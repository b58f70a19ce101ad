import { CrinkleError } from "../../../core/errors.ts";
import { badArgument } from "../../../core/primitives/checks.ts";
import { bindCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, type Count, checkApart, checkView, maxOf, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { bindingsOf, perThread, type TransformKernel, transformCode, transformThreads } from "./code.ts";
import { bindQuads } from "./quads.ts";
import { lengthOf, parametersOf, type Source, viewsOf } from "./sources.ts";

export type { TransformKernel } from "./code.ts";

export interface TransformOperands {
  /** Of the kinds that the kernel was made for. */
  readonly inputs: readonly Source[];
  readonly output: View;
  /** The output's length where it is left out. */
  readonly count?: Count;
}

export interface Transform {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: TransformOperands): void;
}

/** Parameters of a function in WGSL. */
const maxInputs = 255;

/** Parameters before the sources' words, which begin at a multiple of four. */
const headWords = 4;

/**
 * A function of one element of each of several sources, for each element: transforms, zips, fills, sequences, what a
 * function of the index generates. 4 bytes for each view's element and 4 for each result. Works in place where an
 * input is of kind "output".
 */
export async function createTransform(gpu: GpuContext, kernel: TransformKernel): Promise<Transform> {
  checkKernel(gpu, kernel);
  const [vector, scalar] = await Promise.all(
    [true, false].map((isVector) =>
      gpu.pipelines.get({
        label: `transform: ${kernel.name}`,
        code: transformCode(kernel, isVector),
        entryPoint: "transform",
      }),
    ),
  );
  return {
    record(recorder, { inputs, output, count = output.length }) {
      const most = maxOf(count);
      check(gpu, kernel, inputs, output, count);
      if (most === 0) return;
      recorder.scratch(() => {
        const counted = bindCount(recorder, count);
        const whole = inputs.flatMap((source) => (source.kind === "view" ? [source.view] : []));
        const isVector = [...whole, output].every((view) => bindQuads(view));
        const bind = (view: View, isQuads: boolean) => (isQuads && bindQuads(view)) || bindView(view);
        const words = inputs.flatMap((source, k) => parametersOf(source, kernel.inputs[k].type));
        const head = [counted.word, most, bindView(output).lead];
        const parameters = recorder.parameters([
          ...head,
          ...Array(headWords - head.length).fill(0),
          ...words,
        ]);
        const resources = inputs.flatMap((source) =>
          viewsOf(source).map((view) => bind(view, isVector && source.kind === "view").resource),
        );
        recorder.dispatch(
          isVector ? vector : scalar,
          [parameters, counted.resource, bind(output, isVector).resource, ...resources],
          Math.ceil(most / (transformThreads * perThread)),
        );
      });
    },
  };
}

function checkKernel({ device }: GpuContext, { name, inputs }: TransformKernel): void {
  const bound = 2 + inputs.reduce((sum, input) => sum + bindingsOf(input), 0);
  const limit = device.limits.maxStorageBuffersPerShaderStage;
  const problem =
    bound > limit
      ? `needs ${bound} storage buffers; this device binds ${limit}`
      : inputs.length > maxInputs
        ? `has more parameters than WGSL allows, which is ${maxInputs}`
        : undefined;
  if (!problem) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `The function “${name}” of ${inputs.length} inputs ${problem}.`,
    remedy: "Combine fewer vectors at a time.",
  });
}

function check(
  gpu: GpuContext,
  { name, inputs: kinds }: TransformKernel,
  inputs: readonly Source[],
  output: View,
  count: Count,
): void {
  const what = `The function “${name}”`;
  if (inputs.length !== kinds.length || inputs.some(({ kind }, k) => kind !== kinds[k].kind)) {
    throw badArgument(
      `${what} was made for ${kinds.map(({ kind }) => kind).join(", ")} and was given ${inputs.map(({ kind }) => kind).join(", ")}.`,
      "Give it sources of the kinds that it was made for.",
    );
  }
  const views = inputs.flatMap(viewsOf);
  for (const view of [...views, output]) checkView(gpu.device, `A view of ${name}`, view);
  const most = maxOf(count);
  const shortest = Math.min(output.length, ...inputs.map(lengthOf));
  if (shortest < most) {
    throw badArgument(
      `${what} was asked for ${most} elements, and a vector of it has ${shortest}.`,
      "Give every vector at least as many elements as are computed.",
    );
  }
  checkApart(what, [...views, count], [output]);
}
