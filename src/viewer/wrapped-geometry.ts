import {
  BufferAttribute,
  BufferGeometry,
  IndirectStorageBufferAttribute,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  type Renderer,
} from "three/webgpu";
import { bindBuffer } from "./internals.ts";

/**
 * A triangle mesh in GPU memory; triangles are counter-clockwise seen from the side that the normals point to. The
 * creator of the buffers keeps and destroys them.
 */
export interface SurfaceBuffers {
  /**
   * 32 bytes a vertex; usage VERTEX. Words 0–2: position, f32, relative to the grid's centre, in the grid's units.
   * Words 3–5: normal, f32, of any length, zero where there is none. Word 6: scalar, f32, NaN allowed. Word 7 is
   * not read.
   */
  readonly vertices: GPUBuffer;
  /** u32; usage INDEX. */
  readonly indices: GPUBuffer;
  /** The five words of a drawIndexedIndirect; usage INDIRECT. */
  readonly indirect: GPUBuffer;
}

const wordsPerVertex = 8;

/**
 * A three.js geometry around buffers that are not three's. Its attributes on the CPU are empty: never set their
 * `needsUpdate`, never cull, raycast or export the mesh, never draw it as a wireframe.
 */
export class WrappedGeometry {
  readonly geometry = new BufferGeometry();
  readonly #renderer: Renderer;
  readonly #attributes = {
    vertices: new InterleavedBuffer(new Float32Array(0), wordsPerVertex),
    indices: new BufferAttribute(new Uint32Array(0), 1),
    indirect: new IndirectStorageBufferAttribute(new Uint32Array(5), 5),
  };
  /** The buffer while there is no surface: three.js destroys the one it finds on disposal. */
  readonly #placeholder: GPUBuffer;

  /** `renderer` must be initialized. */
  constructor(renderer: Renderer, device: GPUDevice) {
    this.#renderer = renderer;
    const { VERTEX, INDEX, INDIRECT } = GPUBufferUsage;
    this.#placeholder = device.createBuffer({
      label: "no surface",
      size: 32,
      usage: VERTEX | INDEX | INDIRECT,
    });
    const { vertices, indices, indirect } = this.#attributes;
    this.geometry.setAttribute("position", new InterleavedBufferAttribute(vertices, 3, 0));
    this.geometry.setAttribute("normal", new InterleavedBufferAttribute(vertices, 3, 3));
    this.geometry.setAttribute("scalar", new InterleavedBufferAttribute(vertices, 1, 6));
    this.geometry.setIndex(indices);
    this.geometry.setIndirect(indirect);
    this.wrap(undefined);
  }

  /** Shows these buffers from the next frame on. */
  wrap(buffers: SurfaceBuffers | undefined): void {
    for (const [name, attribute] of Object.entries(this.#attributes)) {
      bindBuffer(this.#renderer, attribute, buffers?.[name as keyof SurfaceBuffers] ?? this.#placeholder);
    }
  }

  /** Does not destroy the wrapped buffers. */
  dispose(): void {
    this.wrap(undefined);
    this.geometry.dispose();
    this.#placeholder.destroy();
  }
}
