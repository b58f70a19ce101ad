import type { BufferAttribute, InterleavedBuffer, Renderer, StorageBufferAttribute } from "three/webgpu";

/**
 * What we use of three.js 0.187 beyond its public interface. All members are private there, so the version is
 * pinned and the pixel tests of the viewer guard this file.
 */
interface Internals {
  /** The buffer that `WebGPUAttributeUtils.createAttribute` would allocate, and that drawing reads each time. */
  readonly backend: { get(attribute: BufferAttribute | InterleavedBuffer): { buffer?: GPUBuffer } };
  /** What bind groups compare to detect replaced buffers. */
  readonly _attributes: { get(attribute: BufferAttribute): { generation?: number } };
  /** A loop that asks for every animation frame of the worker, drawn or not. */
  readonly _animation: { stop(): void };
}

const internals = (renderer: Renderer) => renderer as unknown as Internals;

/** Makes `attribute` stand for `buffer`, now and until the next call. */
export function bindBuffer(
  renderer: Renderer,
  attribute: BufferAttribute | InterleavedBuffer,
  buffer: GPUBuffer,
): void {
  internals(renderer).backend.get(attribute).buffer = buffer;
}

/** The same for an attribute that shaders read as storage: bind groups hold buffers, and are created anew. */
export function bindStorage(renderer: Renderer, attribute: StorageBufferAttribute, buffer: GPUBuffer): void {
  bindBuffer(renderer, attribute, buffer);
  const data = internals(renderer)._attributes.get(attribute);
  if (data.generation !== undefined) data.generation++;
}

/** Stops three.js's loop: we draw on demand, and none of our nodes updates per frame. */
export function stopAnimation(renderer: Renderer): void {
  internals(renderer)._animation.stop();
}
