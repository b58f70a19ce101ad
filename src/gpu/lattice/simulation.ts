import type { LatticePlan, Numbers, Pass } from "../../core/lattice/model.ts";
import { startNamed } from "../../core/lattice/models.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import type { KernelProgram } from "../../kernel/ir.ts";
import { deferredPrograms, passProgram } from "../../kernel/lattice/programs.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
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

interface CompiledPass {
  readonly program: KernelProgram;
  readonly pipeline: GPUComputePipeline;
  readonly hasConstants: boolean;
  readonly arrays: readonly string[];
}

type Arrays = Readonly<Record<string, PooledBuffer>>;
type Constants = Readonly<Record<string, number | readonly number[]>>;

/** A model on a GPU, with what a bench records by itself. */
export interface GpuSimulation extends Simulation {
  /** Records the next sweep, without its sums. */
  record(recorder: Recorder, parameters: Numbers): void;
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
  const Values = plan.type === "u32" ? Uint32Array : Float32Array;
  const recorder = new Recorder(gpu, "lattice");
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const dispose = () => {
    recorder.dispose();
    scope.release();
  };
  try {
    const starts = await Promise.all(
      startNamed(plan, start).map((pass) => compileChanging(gpu, plan, pass, isDeferred)),
    );
    const sweep = await Promise.all(plan.sweep.map((pass) => compileChanging(gpu, plan, pass, isDeferred)));
    const groups = Math.min(summingGroups, Math.ceil(plan.length / threads));
    const sums = await compile(gpu, plan, plan.sums, (program) => summingCode(program, plan.length, groups));
    // Bindings begin at multiples of 64 words.
    const recordWords = Math.ceil((groups * plan.sums.writes.length) / 64) * 64;
    const { arrays, records } = await gpu.checked("A lattice", () => {
      const allocate = (name: string, words: number) =>
        scope.allocate(`lattice: ${name}`, 4 * words, STORAGE | COPY_SRC);
      return {
        arrays: Object.fromEntries(plan.arrays.map((name) => [name, allocate(name, plan.length)])),
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
      const words = new Values(read);
      return Array.from({ length: sweeps }, (_, k) =>
        totalsOf(words.subarray(k * recordWords), groups, plan.sums.writes),
      );
    };
    return {
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
            async ([name, buffer]) => [name, new Values(await readBytes(gpu, buffer))] as const,
          ),
        );
        return Object.fromEntries(read);
      },
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function compile(
  gpu: GpuContext,
  plan: LatticePlan,
  pass: Pass,
  codeOf: (program: KernelProgram) => PassCode,
): Promise<CompiledPass> {
  const program = passProgram(plan, pass);
  const { code, ...rest } = codeOf(program);
  return {
    program,
    pipeline: await gpu.pipelines.get({ label: pass.name, code, entryPoint: "main" }),
    ...rest,
  };
}

function compileChanging(
  gpu: GpuContext,
  plan: LatticePlan,
  pass: Pass,
  isDeferred: boolean,
): Promise<CompiledPass> {
  const { length } = plan;
  const parts = isDeferred ? deferredPrograms(plan, pass) : undefined;
  return compile(gpu, plan, pass, (program) =>
    parts && fitsQueue(parts.first)
      ? deferredCode(program, parts, pass.deferral!.carried[0], length)
      : changingCode(program, length),
  );
}

const bindingsOf = (
  recorder: Recorder,
  { program, hasConstants, arrays: names }: CompiledPass,
  arrays: Arrays,
  constants: Constants,
) => [
  hasConstants ? recorder.parameters(constantWords(program, constants)) : undefined,
  ...names.map((name) => arrays[name]),
];

/** Sums over the workgroups, whose words lie one after the other. */
function totalsOf(words: Uint32Array | Float32Array, groups: number, names: readonly string[]): Numbers {
  const totals = new Array<number>(names.length).fill(0);
  for (let at = 0; at < groups * names.length; at++) totals[at % names.length] += words[at];
  return Object.fromEntries(names.map((name, k) => [name, totals[k]]));
}
