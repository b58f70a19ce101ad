import { brushConstants, brushOf } from "../../core/lattice/brush.ts";
import {
  componentNames,
  type LatticeArray,
  type LatticeField,
  type LatticePlan,
  type Numbers,
  type Pass,
} from "../../core/lattice/model.ts";
import { fieldNamed, startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { brushProgram, sharedPrograms, sumsProgram } from "../../kernel/lattice/programs.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import { readBytes } from "../device/transfer.ts";
import { changingCode, summingCode, threads } from "./code.ts";
import { bindingsOf, type CompiledPass, type Constants, compile, compileChanging } from "./compiled-pass.ts";
import { type ShownFields, shownFields } from "./shown-fields.ts";

/** Workgroups that take sums: enough to fill a GPU. */
const summingGroups = 512;

/** Sweeps whose sums are held on the GPU. */
const heldSweeps = 256;

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

/** Sums of sweeps on the GPU, partly taken: `totals` takes them from what was copied from here. */
export interface SumsBuffer {
  readonly buffer: PooledBuffer;
  /** Sweeps whose sums it holds. */
  readonly places: number;
  readonly bytesPerPlace: number;
  /** The sums of each of so many places, from their bytes. */
  totals(bytes: ArrayBuffer, places: number): Numbers[];
}

export interface GpuSimulationOptions {
  /** Whether passes that have two parts are done in these, which takes a barrier: software adapters gain nothing by it. */
  readonly isDeferred?: boolean;
}

/** A model on a GPU: the same bits as on a CPU. Throws UnknownName for a start that there is not, TooLarge, OutOfMemory. */
export async function createGpuSimulation(
  gpu: GpuContext,
  plan: LatticePlan,
  { seed, start, parameters }: SimulationOptions,
  { isDeferred = !gpu.adapter.isSoftware }: GpuSimulationOptions = {},
): Promise<GpuSimulation> {
  const scope = gpu.scope();
  const recorder = new Recorder(gpu, "lattice");
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
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
    const groups = Math.min(summingGroups, Math.ceil(plan.length / threads));
    const sums = await compile(gpu, plan.sums, sumsProgram(plan), (program) =>
      summingCode(program, plan.length, groups),
    );
    // Bindings begin at multiples of 64 words.
    const recordWords = Math.ceil((groups * plan.sums.writes.length) / 64) * 64;
    const { arrays, records } = await gpu.checked("A lattice", () => {
      const allocate = (name: string, words: number) =>
        scope.allocate(`lattice: ${name}`, 4 * words, STORAGE | COPY_SRC);
      return {
        arrays: Object.fromEntries(
          Object.keys(plan.arrays).map((name) => [name, allocate(name, plan.length)]),
        ),
        records: allocate("sums", heldSweeps * recordWords),
      };
    });
    const groupsOfChange = Math.ceil(plan.length / threads);
    let done = 0;
    const change = (to: Recorder, pass: CompiledPass, constants: Constants) =>
      to.dispatch(pass.pipeline, bindingsOf(to, pass, arrays, constants), groupsOfChange);
    const record = (to: Recorder, constants: Constants) => {
      done++;
      for (const pass of sweep) change(to, pass, { ...constants, sweep: done });
    };
    const recordMeasured = (to: Recorder, constants: Constants, k: number) => {
      record(to, constants);
      const place = { buffer: records.buffer, offset: 4 * k * recordWords, size: 4 * recordWords };
      const bound = bindingsOf(to, sums, arrays, { ...constants, sweep: done });
      to.dispatch(sums.pipeline, [...bound, place], groups);
    };
    const totals = (bytes: ArrayBuffer, places: number): Numbers[] => {
      const words = new typed[plan.sumType](bytes);
      return Array.from({ length: places }, (_, k) =>
        totalsOf(words.subarray(k * recordWords), groups, plan.sums.writes),
      );
    };
    for (const pass of starts) change(recorder, pass, { seed, sweep: 0, ...plan.constantsOf(parameters) });
    recorder.submit();
    const runHeld = async (sweeps: number, constants: Constants): Promise<Numbers[]> => {
      await gpu.checked("A lattice's sweeps", () => {
        for (let k = 0; k < sweeps; k++) recordMeasured(recorder, constants, k);
        recorder.submit();
      });
      return totals(await readBytes(gpu, records, 0, 4 * sweeps * recordWords), sweeps);
    };
    let brushes: Promise<readonly CompiledPass[]> | undefined;
    let shown: Promise<ShownFields> | undefined;
    const show = () => {
      shown ??= shownFields(gpu, scope, plan, arrays);
      return shown;
    };
    return {
      show,
      record: (to, now) => record(to, { seed, ...plan.constantsOf(now) }),
      recordMeasured: (to, now, place) => recordMeasured(to, { seed, ...plan.constantsOf(now) }, place),
      sums: { buffer: records, places: heldSweeps, bytesPerPlace: 4 * recordWords, totals },
      async brush() {
        brushes ??= Promise.all(
          brushOf(plan).passes.map((pass) =>
            compile(gpu, pass, brushProgram(plan, pass), (program) => changingCode(program, plan.length)),
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
          taken.push(...(await runHeld(Math.min(heldSweeps, sweeps - taken.length), constants)));
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
        const { planes, record: recordFields } = await show();
        recordFields(recorder);
        recorder.submit();
        const names = componentNames(name, field);
        const read = await Promise.all(
          names.map(async (component) => new Float32Array(await readBytes(gpu, planes[component]))),
        );
        return interleaved(read, field.dtype);
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Side by side, site by site. */
function interleaved(planes: readonly Float32Array<ArrayBuffer>[], dtype: LatticeField["dtype"]) {
  if (planes.length === 1) return dtype === "int8" ? Int8Array.from(planes[0]) : planes[0];
  const length = planes.length * planes[0].length;
  const values = dtype === "int8" ? new Int8Array(length) : new Float32Array(length);
  for (const [c, plane] of planes.entries()) {
    for (let i = 0; i < plane.length; i++) values[i * planes.length + c] = plane[i];
  }
  return values;
}

/** Sums over the workgroups, whose words lie one after the other. */
function totalsOf(words: LatticeArray, groups: number, names: readonly string[]): Numbers {
  const totals = new Array<number>(names.length).fill(0);
  for (let at = 0; at < groups * names.length; at++) totals[at % names.length] += words[at];
  return Object.fromEntries(names.map((name, k) => [name, totals[k]]));
}
