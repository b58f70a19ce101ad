import type { ElementRange } from "../../core/lattice/layers.ts";
import type { LatticePlan, Pass } from "../../core/lattice/model.ts";
import { fieldNamed } from "../../core/lattice/models.ts";
import type { AheadPart, LatticePart, Piece } from "../../core/lattice/part.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { brushProgram, sharedPrograms } from "../../kernel/lattice/programs.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import { readBytes } from "../device/transfer.ts";
import type { PassRange } from "./code.ts";
import { type Arrays, bindingsOf, type CompiledPass, compileChanging } from "./compiled-pass.ts";
import { type PassSpace, threads } from "./pass-writer.ts";
import { PieceReader } from "./piece-reader.ts";
import { fieldsOnGpu, readField } from "./shown-fields.ts";
import type { GpuSimulationOptions } from "./simulation.ts";
import { compileSums } from "./sums.ts";

/** Dispatches after which the GPU is given what is recorded, so that it has something to do meanwhile. */
const dispatchesAtATime = 64;

/** Sweeps whose sums stay on the GPU: reading them interrupts it. */
const heldSweeps = 1024;

/** Twice as many are counted by a word. */
const maxLength = 2 ** 31 - 1;

/** Some elements of a plan's arrays on a GPU: all where `held` are all. Throws BadArgument, TooLarge, OutOfMemory. */
export const createGpuPart = async (
  gpu: GpuContext,
  plan: LatticePlan,
  held: ElementRange,
  options: GpuSimulationOptions = {},
): Promise<LatticePart> => (await createPart(gpu, plan, held, options)).part;

interface CreatedPart {
  readonly part: LatticePart;
  readonly arrays: Arrays;
}

/** What is recorded of parts that follow each other, given to the GPU some at a time. */
class Recording {
  readonly recorder: Recorder;
  #recorded = 0;
  #atATime = 1;

  constructor(gpu: GpuContext) {
    this.recorder = new Recorder(gpu, "lattice");
  }

  /** A dispatch was recorded. */
  added(): void {
    if (++this.#recorded < this.#atATime) return;
    this.submit();
    this.#atATime = Math.min(dispatchesAtATime, 2 * this.#atATime);
  }

  submit(): void {
    this.#recorded = 0;
    this.recorder.submit();
  }

  /** The GPU will have done all: the next dispatches are given to it early. */
  drains(): void {
    this.#atATime = 1;
  }
}

/** With `shared`, the part is recorded with others, in the order of all calls. */
async function createPart(
  gpu: GpuContext,
  plan: LatticePlan,
  held: ElementRange,
  options: GpuSimulationOptions,
  shared?: Recording,
): Promise<CreatedPart> {
  const { isDeferred = !gpu.adapter.isSoftware } = options;
  const { length } = plan;
  const space: PassSpace = { length, isPart: held.first > 0 || held.count < length };
  const rangeOf = (elements: ElementRange): PassRange | undefined =>
    space.isPart ? { elements, held, length } : undefined;
  if (space.isPart && length > maxLength) {
    throw badArgument(
      `The arrays of the lattice have ${length} elements each.`,
      `Lattices of up to ${maxLength} are divided among GPUs.`,
    );
  }
  const scope = gpu.scope();
  const recording = shared ?? new Recording(gpu);
  const { recorder } = recording;
  const reader = new PieceReader(gpu, "lattice");
  const dispose = () => {
    if (!shared) recorder.dispose();
    reader.dispose();
    scope.release();
  };
  try {
    const passes = await compilePasses(gpu, plan, isDeferred, space);
    const summing = await compileSums(gpu, plan, space.isPart ? held : undefined);
    const fields = await fieldsOnGpu(gpu, plan, space.isPart);
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const { arrays, sums } = await gpu.checked("A part of a lattice", () => ({
      arrays: Object.fromEntries(
        Object.keys(plan.arrays).map((name) => [
          name,
          scope.allocate(`lattice: ${name}`, 4 * held.count, STORAGE | COPY_SRC | COPY_DST),
        ]),
      ),
      sums: summing.allocate(scope, heldSweeps),
    }));
    const placeOf = ({ array, first, count }: Piece) => ({
      source: arrays[array].buffer,
      offset: 4 * ((first - held.first + length) % length),
      bytes: 4 * count,
    });
    let taken = 0;
    const part: LatticePart = {
      held,
      maxSums: sums.places,
      elementsAtATime: undefined,
      change(pass, elements, constants) {
        const compiled = passes.get(pass) as CompiledPass;
        const bound = bindingsOf(recorder, compiled, arrays, constants, rangeOf(elements));
        recorder.dispatch(compiled.pipeline, bound, Math.ceil(elements.count / threads));
        recording.added();
      },
      sum(elements, constants) {
        summing.record(recorder, sums, taken++, arrays, constants, rangeOf(elements));
        recording.added();
      },
      async takeSums() {
        const count = taken;
        taken = 0;
        recording.submit();
        recording.drains();
        const bytes = await gpu.guard(readBytes(gpu, sums.buffer, 0, count * sums.bytesPerPlace));
        return sums.totals(bytes, count);
      },
      read: (pieces) => reader.read(recorder, pieces.map(placeOf)),
      write(pieces, words) {
        recording.submit();
        let at = 0;
        for (const piece of pieces) {
          const { source, offset } = placeOf(piece);
          gpu.device.queue.writeBuffer(source, offset, words, at, piece.count);
          at += piece.count;
        }
      },
      async field(name, sites) {
        const field = fieldNamed(plan, name);
        const own = gpu.scope();
        try {
          const range = space.isPart ? { elements: sites, held, length } : undefined;
          const shown = await fields.allocate(own, arrays, sites.count, range);
          shown.record(recorder);
          recorder.submit();
          return await readField(gpu, shown, name, field);
        } finally {
          own.release();
        }
      },
      async openAhead(around) {
        const ahead = await createPart(gpu, plan, around, options, recording);
        const offset = 4 * ((around.first - held.first + length) % length);
        return {
          ...ahead.part,
          follow() {
            for (const [name, { buffer }] of Object.entries(arrays)) {
              const into = ahead.arrays[name].buffer;
              recorder.encoder.copyBufferToBuffer(buffer, offset, into, 0, 4 * around.count);
            }
          },
        } satisfies AheadPart;
      },
      dispose,
    };
    return { part, arrays };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** The passes of all starts, of the sweep and of the brush. */
async function compilePasses(
  gpu: GpuContext,
  plan: LatticePlan,
  isDeferred: boolean,
  space: PassSpace,
): Promise<ReadonlyMap<Pass, CompiledPass>> {
  const programs = sharedPrograms(plan);
  const compiled = async (pass: Pass, program: KernelProgram, inTwo: boolean) =>
    [pass, await compileChanging(gpu, plan, pass, program, inTwo, space)] as const;
  return new Map(
    await Promise.all([
      ...[...Object.values(plan.starts).flat(), ...plan.sweep].map((pass) =>
        compiled(pass, programs(pass), isDeferred),
      ),
      ...(plan.brush?.passes ?? []).map((pass) => compiled(pass, brushProgram(plan, pass), false)),
    ]),
  );
}
