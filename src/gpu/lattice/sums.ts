/** Sums of a plan over the elements of a GPU. */
import type { ElementRange } from "../../core/lattice/layers.ts";
import type { LatticeArray, LatticePlan, Numbers } from "../../core/lattice/model.ts";
import { sumsProgram } from "../../kernel/lattice/programs.ts";
import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import { type PassRange, summingCode } from "./code.ts";
import { type Arrays, bindingsOf, type Constants, compile } from "./compiled-pass.ts";
import { threads } from "./pass-writer.ts";

/** Workgroups that take sums: enough to fill a GPU. */
const summingGroups = 512;

/** Sweeps whose sums are held on the GPU. */
const heldSweeps = 256;

const typed = { u32: Uint32Array, i32: Int32Array, f32: Float32Array } as const;

/** Sums of sweeps on the GPU, partly taken: `totals` takes them from what was copied from here. */
export interface SumsBuffer {
  readonly buffer: PooledBuffer;
  /** Sweeps whose sums it holds. */
  readonly places: number;
  readonly bytesPerPlace: number;
  /** The sums of each of so many places, from their bytes. */
  totals(bytes: ArrayBuffer, places: number): Numbers[];
}

export interface Summing {
  /** The buffer belongs to `scope`. Throws TooLarge. */
  allocate(scope: BufferScope): SumsBuffer;
  /** Records the sums of the present state into a place of the buffer, over a range where the pass is of a part. */
  record(
    to: Recorder,
    sums: SumsBuffer,
    place: number,
    arrays: Arrays,
    constants: Constants,
    range?: PassRange,
  ): void;
}

/** `part`: the most elements of a part, of which the sums are taken; of all elements where it is left out. */
export async function compileSums(gpu: GpuContext, plan: LatticePlan, part?: ElementRange): Promise<Summing> {
  const { writes } = plan.sums;
  const groups = Math.min(summingGroups, Math.ceil((part?.count ?? plan.length) / threads));
  const pass = await compile(gpu, plan.sums, sumsProgram(plan), (program) =>
    summingCode(program, { length: plan.length, isPart: part !== undefined }, groups),
  );
  // Bindings begin at multiples of 64 words.
  const recordWords = Math.ceil((groups * writes.length) / 64) * 64;
  const bytesPerPlace = 4 * recordWords;
  return {
    allocate: (scope) => ({
      buffer: scope.allocate(
        "lattice: sums",
        heldSweeps * bytesPerPlace,
        GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      ),
      places: heldSweeps,
      bytesPerPlace,
      totals(bytes, places) {
        const words = new typed[plan.sumType](bytes);
        return Array.from({ length: places }, (_, k) =>
          totalsOf(words.subarray(k * recordWords), groups, writes),
        );
      },
    }),
    record(to, { buffer: { buffer } }, place, arrays, constants, range) {
      const into = { buffer, offset: place * bytesPerPlace, size: bytesPerPlace };
      to.dispatch(pass.pipeline, [...bindingsOf(to, pass, arrays, constants, range), into], groups);
    },
  };
}

/** Sums over the workgroups, whose words lie one after the other. */
function totalsOf(words: LatticeArray, groups: number, names: readonly string[]): Numbers {
  const totals = new Array<number>(names.length).fill(0);
  for (let at = 0; at < groups * names.length; at++) totals[at % names.length] += words[at];
  return Object.fromEntries(names.map((name, k) => [name, totals[k]]));
}
