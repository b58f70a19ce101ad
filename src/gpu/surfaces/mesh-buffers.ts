import type { Triple } from "../../core/grid.ts";
import {
  normalWord,
  scalarWord,
  vertexBytes,
  vertexWords,
} from "../../core/marching-cubes/surface-records.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import type { DrawableSurface } from "./surface.ts";

const drawBytes = 20;

interface Buffers {
  readonly vertices: PooledBuffer;
  readonly indices: PooledBuffer;
  readonly draw: PooledBuffer;
}

/** A mesh that was made elsewhere, in buffers that are drawn like an extractor's. They grow with the mesh, and stay. */
export class MeshBuffers {
  readonly #gpu: GpuContext;
  readonly #name: string;
  #buffers: Buffers | undefined;
  #records = new Float32Array(0);

  constructor(gpu: GpuContext, name: string) {
    this.#gpu = gpu;
    this.#name = name;
  }

  /**
   * Sends a mesh whose positions are absolute; `show` gets what to draw from before the former buffers are freed. Scalars
   * are 0 where the mesh has none. Throws TooLarge, OutOfMemory, DeviceLost; the former mesh then stays.
   */
  async set(mesh: TriangleMesh, center: Triple, show: (surface: DrawableSurface) => void): Promise<void> {
    const { indices } = mesh;
    const vertices = mesh.positions.length / 3;
    const former = this.#buffers;
    const isEnough =
      former && former.vertices.size >= vertices * vertexBytes && former.indices.size >= indices.byteLength;
    const buffers = isEnough ? former : await this.#allocate(vertices, indices.length);
    const { queue } = this.#gpu.device;
    const records = this.#pack(mesh, center);
    queue.writeBuffer(buffers.vertices.buffer, 0, records.buffer, 0, vertices * vertexBytes);
    queue.writeBuffer(buffers.indices.buffer, 0, indices as Uint32Array<ArrayBuffer>);
    queue.writeBuffer(buffers.draw.buffer, 0, Uint32Array.of(indices.length, 1, 0, 0, 0));
    this.#buffers = buffers;
    show({
      vertices: buffers.vertices.buffer,
      indices: buffers.indices.buffer,
      draw: buffers.draw.buffer,
      center,
      scalarOffset: 0,
    });
    if (former && former !== buffers) release(former);
  }

  dispose(): void {
    if (this.#buffers) release(this.#buffers);
    this.#buffers = undefined;
    this.#records = new Float32Array(0);
  }

  async #allocate(vertices: number, indices: number): Promise<Buffers> {
    // Storage: what is under the pointer is found by a pass that reads vertices by their indices.
    const { STORAGE, VERTEX, INDEX, INDIRECT, COPY_DST } = GPUBufferUsage;
    const scope = this.#gpu.scope();
    const bytes = (needed: number) => Math.max(1024, Math.ceil((needed * 1.25) / 4) * 4);
    try {
      return await this.#gpu.checked(`The ${this.#name}`, () => ({
        vertices: scope.keep(
          scope.allocate(
            `${this.#name}: vertices`,
            bytes(vertices * vertexBytes),
            STORAGE | VERTEX | COPY_DST,
          ),
        ),
        indices: scope.keep(
          scope.allocate(`${this.#name}: indices`, bytes(indices * 4), STORAGE | INDEX | COPY_DST),
        ),
        draw: scope.keep(scope.allocate(`${this.#name}: draw`, drawBytes, INDIRECT | COPY_DST)),
      }));
    } finally {
      scope.release();
    }
  }

  #pack({ positions, normals, scalars }: TriangleMesh, center: Triple): Float32Array<ArrayBuffer> {
    const count = positions.length / 3;
    if (this.#records.length < count * vertexWords)
      this.#records = new Float32Array(Math.ceil(1.25 * count) * vertexWords);
    const records = this.#records;
    for (let v = 0; v < count; v++) {
      for (let axis = 0; axis < 3; axis++) {
        records[vertexWords * v + axis] = positions[3 * v + axis] - center[axis];
        records[vertexWords * v + normalWord + axis] = normals[3 * v + axis];
      }
      records[vertexWords * v + scalarWord] = scalars ? scalars[v] : 0;
    }
    return records;
  }
}

function release({ vertices, indices, draw }: Buffers): void {
  for (const buffer of [vertices, indices, draw]) buffer.release();
}
