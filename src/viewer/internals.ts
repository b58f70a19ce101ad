import type {
  BufferAttribute,
  DepthTexture,
  InterleavedBuffer,
  Renderer,
  StorageBufferAttribute,
  Texture,
} from "three/webgpu";

/**
 * What we use of three.js 0.187 beyond its public interface. All members are private there, so the version is
 * pinned and the pixel tests of the viewer guard this file.
 */
interface Internals {
  /** The buffer that `WebGPUAttributeUtils.createAttribute` would allocate, and that drawing reads each time. */
  readonly backend: {
    get(attribute: BufferAttribute | InterleavedBuffer): { buffer?: GPUBuffer };
    get(texture: Texture): { texture: GPUTexture };
    /** Float32Array for a texture of the format depth32float. */
    copyTextureToBuffer(
      texture: DepthTexture,
      x: number,
      y: number,
      width: number,
      height: number,
      face: number,
    ): Promise<Float32Array>;
  };
  /** What bind groups compare to detect replaced buffers. */
  readonly _attributes: { get(attribute: BufferAttribute): { generation?: number } };
  /** A loop, started by each render, that asks for every animation frame of the worker, drawn or not. */
  readonly _animation: { start(): void };
  readonly _nodes: { readonly nodeFrame: { update(): void } };
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

/** Makes each render a frame of its own, without three.js's loop: we draw on demand, in Node too, which has no frames. */
export function drawOnDemand(renderer: Renderer): void {
  const { _animation: animation, _nodes: nodes } = internals(renderer);
  animation.start = () => nodes.nodeFrame.update();
}

/** What a texture is on the device, once something has been rendered into it. */
export function textureOf(renderer: Renderer, texture: Texture): GPUTexture {
  return internals(renderer).backend.get(texture).texture;
}

/** The values of a depth texture of the type FloatType, row by row from the top, of `width` × `height` pixels. */
export function readDepth(
  renderer: Renderer,
  texture: DepthTexture,
  width: number,
  height: number,
): Promise<Float32Array> {
  return internals(renderer).backend.copyTextureToBuffer(texture, 0, 0, width, height, 0);
}
