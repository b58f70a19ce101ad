/** What a model shows, on the GPU. */
import { countOf } from "../../core/hypercube/shape.ts";
import { componentNames, type LatticePlan } from "../../core/lattice/model.ts";
import { fieldsProgram } from "../../kernel/lattice/programs.ts";
import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import { changingCode, threads } from "./code.ts";
import { type Arrays, bindingsOf, compile } from "./compiled-pass.ts";

export interface ShownFields {
  readonly planes: Readonly<Record<string, PooledBuffer>>;
  record(recorder: Recorder): void;
}

/** The planes belong to `scope`. Throws TooLarge, OutOfMemory. */
export async function shownFields(
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
