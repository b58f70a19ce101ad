import type { BufferAttribute, InterleavedBuffer, Renderer } from "three/webgpu";

/**
 * What we use of three.js 0.187 beyond its public interface. Both members are private there, so the version is
 * pinned and the pixel tests of the viewer guard this file.
 */
interface Internals {
  /** The buffer that `WebGPUAttributeUtils.createAttribute` would allocate, and that drawing reads each time. */
  readonly backend: { get(attribute: BufferAttribute | InterleavedBuffer): { buffer?: GPUBuffer } };
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

/** Nothing of ours needs three's loop: we draw on demand, and none of our nodes updates by the frame. */
export function stopAnimation(renderer: Renderer): void {
  internals(renderer)._animation.stop();
}
