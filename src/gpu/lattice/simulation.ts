import { countOf } from "../../core/hypercube/shape.ts";
import {
  componentNames,
  type FieldsPass,
  type LatticeArray,
  type LatticeField,
  type LatticePlan,
  type Numbers,
  type Pass,
} from "../../core/lattice/model.ts";
import { fieldNamed, startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import {
  arrayNamed,
  deferredPrograms,
  fieldsProgram,
  sharedPrograms,
  sumsProgram,
} from "../../kernel/lattice/programs.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import { readBytes } from "../device/transfer.ts";
import {
  changingCode,
  constantWords,
  deferredCode,
  fitsQueue,
  type PassCode,
  summingCode,
  threads,
} from "./code.ts";

/** Workgroups that take sums: enough to fill a GPU. */
const summingGroups = 512;

/** Sweeps whose sums are held on the GPU. */
const heldSweeps = 256;

const typed = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

interface CompiledPass {
  readonly program: KernelProgram;
  readonly pipeline: GPUComputePipeline;
  readonly hasConstants: boolean;
  /** The plan's arrays, as they are bound. */
  readonly arrays: readonly string[];
  readonly step: number;
}

type Arrays = Readonly<Record<string, PooledBuffer>>;
type Constants = Readonly<Record<string, number | readonly number[]>>;

/** A model on a GPU, with what a bench records by itself. */
export interface GpuSimulation extends Simulation {
  /** Records the next sweep, without its sums. */
  record(recorder: Recorder, parameters: Numbers): void;
  /**
   * The plan's fields on the GPU, a plane of f32 a component in the order of `componentNames`, and what records their computation from the
   * present state. They belong to the simulation. Throws TooLarge, OutOfMemory.
   */
  show(): Promise<ShownFields>;
}

export interface ShownFields {
  readonly planes: Readonly<Record<string, PooledBuffer>>;
  record(recorder: Recorder): void;
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
    for (const pass of starts) change(recorder, pass, { seed, sweep: 0, ...plan.constantsOf(parameters) });
    recorder.submit();
    const runHeld = async (sweeps: number, constants: Constants): Promise<Numbers[]> => {
      await gpu.checked("A lattice's sweeps", () => {
        for (let k = 0; k < sweeps; k++) {
          record(recorder, constants);
          const place = { buffer: records.buffer, offset: 4 * k * recordWords, size: 4 * recordWords };
          recorder.dispatch(
            sums.pipeline,
            [...bindingsOf(recorder, sums, arrays, { ...constants, sweep: done }), place],
            groups,
          );
        }
        recorder.submit();
      });
      const read = await readBytes(gpu, records, 0, 4 * sweeps * recordWords);
      const words = new typed[plan.sumType](read);
      return Array.from({ length: sweeps }, (_, k) =>
        totalsOf(words.subarray(k * recordWords), groups, plan.sums.writes),
      );
    };
    let shown: Promise<ShownFields> | undefined;
    const show = () => {
      shown ??= shownFields(gpu, scope, plan, arrays);
      return shown;
    };
    return {
      show,
      record: (to, now) => record(to, { seed, ...plan.constantsOf(now) }),
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

async function shownFields(
  gpu: GpuContext,
  scope: BufferScope,
  plan: LatticePlan,
  arrays: Arrays,
): Promise<ShownFields> {
  const sites = countOf(plan.lengths);
  const components = Object.entries(plan.fields).flatMap(([name, field]) => componentNames(name, field));
  // A component may have an array's name.
  const planeKey = (component: string) => `plane of ${component}`;
  const show = {
    ...plan.show,
    arrays: { ...plan.show.arrays, ...Object.fromEntries(components.map((name) => [name, planeKey(name)])) },
  };
  const pass = await compile(gpu, show, fieldsProgram(plan), (program) => changingCode(program, sites));
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const planes = await gpu.checked("A lattice's fields", () =>
    Object.fromEntries(
      components.map((name) => [name, scope.allocate(`lattice: ${name}`, 4 * sites, usage)]),
    ),
  );
  const bound = {
    ...arrays,
    ...Object.fromEntries(components.map((name) => [planeKey(name), planes[name]])),
  };
  return {
    planes,
    record: (recorder) =>
      recorder.dispatch(pass.pipeline, bindingsOf(recorder, pass, bound, {}), Math.ceil(sites / threads)),
  };
}

async function compile(
  gpu: GpuContext,
  pass: FieldsPass & Pick<Pass, "step">,
  program: KernelProgram,
  codeOf: (program: KernelProgram) => PassCode,
): Promise<CompiledPass> {
  const { code, hasConstants, arrays } = codeOf(program);
  return {
    program,
    pipeline: await gpu.pipelines.get({ label: pass.name, code, entryPoint: "main" }),
    hasConstants,
    arrays: arrays.map((name) => arrayNamed(pass, name)),
    step: pass.step ?? 0,
  };
}

function compileChanging(
  gpu: GpuContext,
  plan: LatticePlan,
  pass: Pass,
  program: KernelProgram,
  isDeferred: boolean,
): Promise<CompiledPass> {
  const { length } = plan;
  const parts = isDeferred ? deferredPrograms(plan, pass) : undefined;
  return compile(gpu, pass, program, () =>
    parts && fitsQueue(parts.first)
      ? deferredCode(program, parts, pass.deferral!.carried[0], length)
      : changingCode(program, length),
  );
}

const bindingsOf = (
  recorder: Recorder,
  { program, hasConstants, arrays: names, step }: CompiledPass,
  arrays: Arrays,
  constants: Constants,
) => [
  hasConstants ? recorder.parameters(constantWords(program, { ...constants, step })) : undefined,
  ...names.map((name) => arrays[name]),
];

/** Sums over the workgroups, whose words lie one after the other. */
function totalsOf(words: LatticeArray, groups: number, names: readonly string[]): Numbers {
  const totals = new Array<number>(names.length).fill(0);
  for (let at = 0; at < groups * names.length; at++) totals[at % names.length] += words[at];
  return Object.fromEntries(names.map((name, k) => [name, totals[k]]));
}
