import { countOf } from "../../core/hypercube/shape.ts";
import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import type { LatticePlan, Numbers, Pass } from "../../core/lattice/model.ts";
import { fieldNamed, startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { brushProgram, sharedPrograms } from "../../kernel/lattice/programs.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import { readBytes } from "../device/transfer.ts";
import { bindingsOf, type CompiledPass, type Constants, compileChanging } from "./compiled-pass.ts";
import { threads } from "./pass-writer.ts";
import { fieldsOnGpu, readField, type ShownFields } from "./shown-fields.ts";
import { compileSums, type SumsBuffer } from "./sums.ts";

const typed = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** A model on a GPU, with what a bench records by itself. */
export interface GpuSimulation extends Simulation {
  /** Records the next sweep, without its sums. */
  record(recorder: Recorder, parameters: Numbers): void;
  /** Records the next sweep, and its sums into a place of `sums`, counted from 0. */
  recordMeasured(recorder: Recorder, parameters: Numbers, place: number): void;
  readonly sums: SumsBuffer;
  /**
   * The plan's fields on the GPU, a plane of f32 a component in the order of `componentNames`, and what records their computation from the
   * present state. They belong to the simulation. Throws TooLarge, OutOfMemory.
   */
  show(): Promise<ShownFields>;
}

export interface GpuSimulationOptions {
  /** Whether passes that have two parts are done in these, which takes a barrier: software adapters gain nothing by it. */
  readonly isDeferred?: boolean;
}

/** A model on a GPU: the same bits as on a CPU. Throws UnknownName for a start that there is not, TooLarge, OutOfMemory. */
export async function createGpuSimulation(
  gpu: GpuContext,
  plan: LatticePlan,
  { seed, start, parameters, state }: SimulationOptions,
  { isDeferred = !gpu.adapter.isSoftware }: GpuSimulationOptions = {},
): Promise<GpuSimulation> {
  const scope = gpu.scope();
  const recorder = new Recorder(gpu, "lattice");
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const dispose = () => {
    recorder.dispose();
    scope.release();
  };
  try {
    const programs = sharedPrograms(plan);
    const compileAll = (passes: readonly Pass[]) =>
      Promise.all(passes.map((pass) => compileChanging(gpu, plan, pass, programs(pass), isDeferred)));
    const starts = await compileAll(startNamed(plan, start));
    const sweep = await compileAll(plan.sweep);
    const summing = await compileSums(gpu, plan);
    const { arrays, sums } = await gpu.checked("A lattice", () => ({
      arrays: Object.fromEntries(
        Object.keys(plan.arrays).map((name) => [
          name,
          scope.allocate(`lattice: ${name}`, 4 * plan.length, STORAGE | COPY_SRC | COPY_DST),
        ]),
      ),
      sums: summing.allocate(scope),
    }));
    const groupsOfChange = Math.ceil(plan.length / threads);
    let done = state?.sweeps ?? 0;
    const change = (to: Recorder, pass: CompiledPass, constants: Constants) =>
      to.dispatch(pass.pipeline, bindingsOf(to, pass, arrays, constants), groupsOfChange);
    const record = (to: Recorder, constants: Constants) => {
      done++;
      for (const pass of sweep) change(to, pass, { ...constants, sweep: done });
    };
    const recordMeasured = (to: Recorder, constants: Constants, k: number) => {
      record(to, constants);
      summing.record(to, sums, k, arrays, { ...constants, sweep: done });
    };
    if (state) {
      for (const [name, { buffer }] of Object.entries(arrays))
        gpu.device.queue.writeBuffer(buffer, 0, state.arrays[name]);
    } else {
      for (const pass of starts) change(recorder, pass, { seed, sweep: 0, ...plan.constantsOf(parameters) });
      recorder.submit();
    }
    const runHeld = async (sweeps: number, constants: Constants): Promise<Numbers[]> => {
      await gpu.checked("A lattice's sweeps", () => {
        for (let k = 0; k < sweeps; k++) recordMeasured(recorder, constants, k);
        recorder.submit();
      });
      return sums.totals(await readBytes(gpu, sums.buffer, 0, sweeps * sums.bytesPerPlace), sweeps);
    };
    let brushes: Promise<readonly CompiledPass[]> | undefined;
    let shown: Promise<ShownFields> | undefined;
    const show = () => {
      shown ??= fieldsOnGpu(gpu, plan, false).then((fields) =>
        fields.allocate(scope, arrays, countOf(plan.lengths)),
      );
      return shown;
    };
    return {
      show,
      record: (to, now) => record(to, { seed, ...plan.constantsOf(now) }),
      recordMeasured: (to, now, place) => recordMeasured(to, { seed, ...plan.constantsOf(now) }, place),
      sums,
      async brush() {
        brushes ??= Promise.all(
          brushOf(plan).passes.map((pass) =>
            compileChanging(gpu, plan, pass, brushProgram(plan, pass), false),
          ),
        );
        const passes = await brushes;
        return (stroke) => {
          const constants = brushConstants(plan, stroke);
          for (const pass of passes) change(recorder, pass, constants);
          recorder.submit();
        };
      },
      async run(sweeps, now) {
        const constants = { seed, ...plan.constantsOf(now) };
        const taken: Numbers[] = [];
        while (taken.length < sweeps) {
          taken.push(...(await runHeld(Math.min(sums.places, sweeps - taken.length), constants)));
        }
        return taken;
      },
      async read() {
        const read = await Promise.all(
          Object.entries(arrays).map(
            async ([name, buffer]) =>
              [name, new typed[plan.arrays[name]](await readBytes(gpu, buffer))] as const,
          ),
        );
        return Object.fromEntries(read);
      },
      async field(name) {
        const field = fieldNamed(plan, name);
        const shown = await show();
        shown.record(recorder);
        recorder.submit();
        return readField(gpu, shown, name, field);
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
