import { storage, uint, uniform, uvec2, varying, vec2, vec3, vec4, vertexIndex, wgslFn } from "three/tsl";
import {
  BufferGeometry,
  DoubleSide,
  Mesh,
  type Node,
  NodeMaterial,
  type Renderer,
  StorageBufferAttribute,
  Vector2,
} from "three/webgpu";
import type { Triple } from "../core/grid.ts";
import { Drawable, type DrawableHost } from "./drawable.ts";
import { bindStorage } from "./internals.ts";
import { Paint } from "./paint.ts";
import { imageAcrossCode, imageSumsShader } from "./passes/image-shader.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

/** Values in GPU memory that are seen as a rectangle of texels. Their creator keeps and destroys the buffer. */
export interface Image {
  /** f32, row by row, NaN allowed. Usage STORAGE. Undefined where everything has one colour. */
  readonly values: GPUBuffer | undefined;
  readonly columns: number;
  readonly rows: number;
  /** A corner of the rectangle, relative to the data's centre, in its units, and the sides that meet there. */
  readonly corner: Triple;
  readonly along: Triple;
  readonly up: Triple;
  /** Columns and rows across the rectangle, and the column and row at its corner, 0 being the first one's lower edge. */
  readonly across: readonly [columns: number, rows: number];
  readonly first: readonly [column: number, row: number];
}

/** The buffers of an image, in the order of a point cloud's. */
export interface ImageBuffers {
  /** Six corners of two triangles, then columns, rows, `across` and `first`. */
  readonly positions: GPUBuffer;
  readonly scalars: GPUBuffer;
  /** Triangles. */
  readonly count: 2;
}

const placeWords = 24;

const imageAcross = wgslFn(imageAcrossCode);
const keepColor = wgslFn(/* wgsl */ `
fn keepColor(color: vec3<f32>, kept: f32) -> vec3<f32> {
  if (kept < 0.0) {
    discard;
  }
  return color;
}`);

/** An image of values in the colours of a table, unlit, each texel crisp: one rectangle, whose fragments read the values. */
export class ImagePlane extends Drawable {
  readonly mesh: Mesh;
  /** The shader with which the translucent pass draws images. */
  readonly sumsShader = imageSumsShader;
  readonly #renderer: Renderer;
  readonly #device: GPUDevice;
  readonly #geometry = new BufferGeometry();
  readonly #positions = new StorageBufferAttribute(new Float32Array(1), 1);
  readonly #scalars = new StorageBufferAttribute(new Float32Array(1), 1);
  readonly #place: GPUBuffer;
  /** The buffer while there is no image, and the one that three.js destroys on disposal. */
  readonly #placeholder: GPUBuffer;
  readonly #size = uniform(new Vector2(1, 1));
  readonly #across = uniform(new Vector2(1, 1));
  readonly #first = uniform(new Vector2(0, 0));
  #buffer: ImageBuffers | undefined;

  constructor(
    renderer: Renderer,
    device: GPUDevice,
    uniforms: ViewUniforms,
    number: number,
    host: DrawableHost,
  ) {
    super(number, new Paint(device, number), host);
    this.#renderer = renderer;
    this.#device = device;
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    this.#place = device.createBuffer({
      label: "image: place",
      size: 4 * placeWords,
      usage: STORAGE | COPY_DST,
    });
    this.#placeholder = device.createBuffer({ label: "no image", size: 16, usage: STORAGE });
    this.#bind(undefined);
    this.#geometry.setDrawRange(0, 6);

    const corners = storage(this.#positions, "float", 0).toReadOnly();
    const values = storage(this.#scalars, "float", 0).toReadOnly();
    const word = vertexIndex.mul(3);
    const position = vec3(corners.element(word), corners.element(word.add(1)), corners.element(word.add(2)));
    const inScene = position.mul(uniforms.scale);
    const corner = imageAcross({ vertex: vertexIndex }) as Node<"vec2">;
    const place = varying(corner.mul(this.#across).add(this.#first));
    const texel = uvec2(place.floor().clamp(vec2(0, 0), this.#size.sub(1)));
    const scalar = values.element(texel.y.mul(uint(this.#size.x)).add(texel.x));
    const material = new NodeMaterial();
    material.side = DoubleSide;
    material.lights = false;
    material.vertexNode = uniforms.project(uniforms.view.mul(vec4(inScene, 1)));
    material.fragmentNode = vec4(
      keepColor({
        color: this.paint.plainColor(scalar),
        kept: varying(this.paint.kept(inScene, uniforms)),
      }) as Node<"vec3">,
      1,
    );
    this.mesh = new Mesh(this.#geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  get isShown(): boolean {
    return this.isVisible && this.#buffer !== undefined;
  }

  /** The drawn buffers; undefined if nothing is drawn. */
  get buffer(): ImageBuffers | undefined {
    return this.#buffer;
  }

  /** Shows an image, or none. Its values may change without notice. */
  setImage(image: Image | undefined): void {
    this.#buffer = image && { positions: this.#place, scalars: image.values ?? this.#placeholder, count: 2 };
    this.#bind(image);
    if (image) {
      const { columns, rows, across, first } = image;
      this.#size.value.set(columns, rows);
      this.#across.value.set(...across);
      this.#first.value.set(...first);
      const words = Float32Array.from([...cornersOf(image), columns, rows, ...across, ...first]);
      this.#device.queue.writeBuffer(this.#place, 0, words);
    }
    this.changed();
  }

  protected release(): void {
    bindStorage(this.#renderer, this.#positions, this.#placeholder);
    bindStorage(this.#renderer, this.#scalars, this.#placeholder);
    this.#geometry.dispose();
    this.#placeholder.destroy();
    this.#place.destroy();
  }

  #bind(image: Image | undefined): void {
    bindStorage(this.#renderer, this.#positions, this.#place);
    bindStorage(this.#renderer, this.#scalars, image?.values ?? this.#placeholder);
  }
}

/** The corners of two triangles, as `imageAcross` numbers them. */
function cornersOf({ corner, along, up }: Image): number[] {
  const at = (u: number, v: number) => corner.map((x, axis) => x + u * along[axis] + v * up[axis]);
  return [at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)].flat();
}
