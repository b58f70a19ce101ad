/** What a model shows, on the GPU. */
import { countOf } from "../../core/hypercube/shape.ts";
import { componentNames, type LatticeField, type LatticePlan } from "../../core/lattice/model.ts";
import { fieldsProgram } from "../../kernel/lattice/programs.ts";
import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import { readBytes } from "../device/transfer.ts";
import { changingCode, type PassRange } from "./code.ts";
import { type Arrays, bindingsOf, compile } from "./compiled-pass.ts";
import { threads } from "./pass-writer.ts";

export interface ShownFields {
  readonly planes: Readonly<Record<string, PooledBuffer>>;
  record(recorder: Recorder): void;
}

/** The pass that shows a plan's fields. */
export interface FieldsOnGpu {
  /** Planes for as many sites, which belong to `scope`. A range of sites is wanted where the pass is of a part. Throws TooLarge, OutOfMemory. */
  allocate(scope: BufferScope, arrays: Arrays, sites: number, range?: PassRange): Promise<ShownFields>;
}

export async function fieldsOnGpu(gpu: GpuContext, plan: LatticePlan, isPart: boolean): Promise<FieldsOnGpu> {
  const components = Object.entries(plan.fields).flatMap(([name, field]) => componentNames(name, field));
  // A component may have an array's name.
  const planeKey = (component: string) => `plane of ${component}`;
  const show = {
    ...plan.show,
    arrays: { ...plan.show.arrays, ...Object.fromEntries(components.map((name) => [name, planeKey(name)])) },
  };
  const pass = await compile(gpu, show, fieldsProgram(plan), (program) =>
    changingCode(program, { length: countOf(plan.lengths), isPart }, isPart),
  );
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return {
    async allocate(scope, arrays, sites, range) {
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
          recorder.dispatch(
            pass.pipeline,
            bindingsOf(recorder, pass, bound, {}, range),
            Math.ceil(sites / threads),
          ),
      };
    },
  };
}

/** A field's values, its components side by side, from shown planes. */
export async function readField(
  gpu: GpuContext,
  { planes }: ShownFields,
  name: string,
  field: LatticeField,
): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>> {
  const read = await Promise.all(
    componentNames(name, field).map(
      async (component) => new Float32Array(await readBytes(gpu, planes[component])),
    ),
  );
  return interleaved(read, field.dtype);
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
