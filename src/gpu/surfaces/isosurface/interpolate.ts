import { floorF32 } from "../../../core/floor-f32.ts";
import type { Triple } from "../../../core/grid.ts";
import type { EdgeMesh } from "../../../core/marching-cubes/weld.ts";
import { BoundKernel, submitPass } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import { readF32 } from "../../device/transfer.ts";
import { offsetOf, type ScalarSource, storageOf } from "../../fields/compact-field.ts";
import { requireNodeField, type ScalarSurfaceSource } from "../surface-source.ts";
import { interpolateParameters, interpolateShader, interpolateThreads } from "./kernels/interpolate.ts";

/** A component of a node-centred field. */
export interface FieldComponent {
  readonly field: ScalarSource;
  readonly component?: number;
}

const maxGroups = 4096;

/**
 * Fields' values at an isosurface's vertices, on grid edges or inside cells, as `edges` number them. Throws BadArgument
 * where a field is not node-centred, lies on another grid, or lacks the component; OutOfMemory, DeviceLost.
 */
export async function interpolateOnSurface(
  gpu: GpuContext,
  { field, component = 0, tables }: ScalarSurfaceSource,
  isovalue: number,
  { edges, positions }: Pick<EdgeMesh, "edges" | "positions">,
  fields: readonly FieldComponent[],
): Promise<Float32Array[]> {
  for (const { field: other, component: of = 0 } of fields) {
    requireNodeField(tables, other, of, "a surface's values");
  }
  const { dims } = tables;
  if (edges.length === 0) return fields.map(() => new Float32Array(0));
  const nodes = dims[0] * dims[1] * dims[2];
  const inside = edges.some((edge) => edge >= 3 * nodes)
    ? positions.map((x, i) => x - tables.center[i % 3])
    : new Float32Array(1);
  const scope = gpu.scope();
  try {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const pipeline = await gpu.pipelines.get(interpolateShader);
    const parameters = new Uniform<Record<string, number | Triple>>(gpu, scope, interpolateParameters);
    const [ids, values, places] = await gpu.checked("The isosurface's values", () => [
      scope.allocate("isosurface: edges", edges.byteLength, STORAGE | COPY_DST),
      scope.allocate("isosurface: values", edges.byteLength, STORAGE | COPY_SRC),
      scope.allocate("isosurface: places", inside.byteLength, STORAGE | COPY_DST),
    ]);
    gpu.device.queue.writeBuffer(ids.buffer, 0, edges as Uint32Array<ArrayBuffer>);
    gpu.device.queue.writeBuffer(places.buffer, 0, inside as Float32Array<ArrayBuffer>);
    const relative = isovalue - offsetOf(field, component);
    const rounded = floorF32(relative);
    const results = [];
    for (const { field: other, component: of = 0 } of fields) {
      parameters.set({
        count: edges.length,
        row: dims[0],
        slice: dims[0] * dims[1],
        nodes,
        axes: tables.offsets,
        plane: component * field.count,
        storage: storageOf(field),
        other_plane: of * other.count,
        other_storage: storageOf(other),
        isovalue: rounded,
        isovalue_rest: relative - rounded,
      });
      parameters.write();
      const bindings = [parameters, ids, field.buffer, other.buffer, values, places, tables.buffer];
      const kernel = new BoundKernel(gpu, pipeline, bindings);
      const groups = Math.min(maxGroups, Math.ceil(edges.length / interpolateThreads));
      submitPass(gpu, interpolateShader.label, (pass) => kernel.dispatch(pass, groups));
      const read = await readF32(gpu, values, 0, edges.length);
      const offset = offsetOf(other, of);
      results.push(offset === 0 ? read : read.map((value) => value + offset));
    }
    return results;
  } finally {
    scope.release();
  }
}
