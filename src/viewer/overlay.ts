import { abs, attribute, clamp, select, texture, varying, vec4 } from "three/tsl";
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  NodeMaterial,
} from "three/webgpu";
import { GlyphAtlas, glyphPadding, lineHeight } from "./glyph-atlas.ts";
import { type Matrix4, transformPoint } from "./matrix.ts";
import type { Rgba } from "./theme.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

/** Meaning of the first two numbers of a quad's `shape`, given by the third. */
const lineShape = 0; // distance from the middle line, half the width; device pixels
const glyphShape = 1; // texture coordinates of a glyph
const haloShape = 2; // the same, drawn with its halo

const attributeNames = ["clip", "color", "shape"] as const;
/** Behind the eye, or almost. */
const smallestW = 1e-4;

/**
 * Lines and text of constant size on the screen, rebuilt on the CPU for each view: a few hundred quads in clip
 * space. Sizes and screen positions are CSS pixels from the upper left; what is added later lies above.
 */
export class Overlay {
  readonly mesh: Mesh;
  readonly #atlas = new GlyphAtlas();
  #capacity = 0;
  #count = 0;
  #clip = new Float32Array(0);
  #color = new Float32Array(0);
  #shape = new Float32Array(0);
  #width = 1;
  #height = 1;
  #ratio = 1;
  readonly #ends = new Float64Array(8);

  constructor(uniforms: ViewUniforms) {
    const shape = varying(attribute<"vec4">("shape", "vec4"));
    const color = varying(attribute<"vec4">("color", "vec4"));
    const sample = texture(this.#atlas.texture, shape.xy);
    const line = clamp(shape.y.add(0.5).sub(abs(shape.x)), 0, 1);
    const glyph = select(shape.z.lessThan(1.5), sample.r, sample.g);
    const coverage = select(shape.z.lessThan(0.5), line, glyph);
    const material = new NodeMaterial();
    material.transparent = true;
    material.side = DoubleSide;
    material.forceSinglePass = true;
    material.depthWrite = false;
    material.lights = false;
    material.vertexNode = uniforms.clipPart(attribute<"vec4">("clip", "vec4"));
    material.fragmentNode = vec4(color.rgb, color.a.mul(coverage));
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = Number.MAX_SAFE_INTEGER;
    this.#grow(1024);
  }

  /** Starts over for a view of this size, at `ratio` device pixels to a CSS pixel. */
  begin(width: number, height: number, ratio: number): void {
    this.#width = width;
    this.#height = height;
    this.#ratio = ratio;
    this.#count = 0;
  }

  /** Ensures that the characters of `text` can be measured and drawn. Call it before either. */
  prepareText(text: string): void {
    this.#atlas.prepare(text, this.#ratio);
  }

  measure = (text: string): number => this.#atlas.measure(text);

  /** A line in the scene, hidden where a surface is in front of it; `matrix` maps its ends to clip space. */
  line(matrix: Matrix4, a: ArrayLike<number>, b: ArrayLike<number>, width: number, color: Rgba): void {
    const ends = this.#ends;
    transformPoint(matrix, a[0], a[1], a[2], ends, 0);
    transformPoint(matrix, b[0], b[1], b[2], ends, 4);
    if (ends[3] < smallestW && ends[7] < smallestW) return;
    if (ends[3] < smallestW) clipEnd(ends, 0, 4);
    else if (ends[7] < smallestW) clipEnd(ends, 4, 0);
    this.#addLine(width, color);
  }

  /** A line on the screen, in front of everything. */
  screenLine(ax: number, ay: number, bx: number, by: number, width: number, color: Rgba): void {
    this.#ends.set([this.#toClipX(ax), this.#toClipY(ay), 0, 1, this.#toClipX(bx), this.#toClipY(by), 0, 1]);
    this.#addLine(width, color);
  }

  /**
   * Text centred on a point of the screen, in front of everything, with a halo that separates it from what is behind.
   */
  text(text: string, x: number, y: number, color: Rgba, halo: Rgba): void {
    const left = Math.round((x - 0.5 * this.measure(text)) * this.#ratio);
    const top = Math.round((y - 0.5 * lineHeight) * this.#ratio);
    this.#addGlyphs(text, left, top, halo, haloShape);
    this.#addGlyphs(text, left, top, color, glyphShape);
  }

  /** Passes what was added since `begin` to the next render. */
  end(): void {
    const { geometry } = this.mesh;
    for (const name of attributeNames) {
      const vertices = geometry.getAttribute(name) as BufferAttribute;
      vertices.clearUpdateRanges();
      vertices.addUpdateRange(0, 16 * this.#count);
      vertices.needsUpdate = true;
    }
    geometry.setDrawRange(0, 6 * this.#count);
    this.mesh.visible = this.#count > 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.#atlas.texture.dispose();
  }

  #toClipX(x: number): number {
    return (2 * x) / this.#width - 1;
  }

  #toClipY(y: number): number {
    return 1 - (2 * y) / this.#height;
  }

  /** A quad along `#ends`, half a pixel wider on each side for a soft edge. */
  #addLine(width: number, color: Rgba): void {
    const [ax, ay, az, aw, bx, by, bz, bw] = this.#ends;
    const pixelX = 0.5 * this.#width * this.#ratio;
    const pixelY = 0.5 * this.#height * this.#ratio;
    const dx = (bx / bw - ax / aw) * pixelX;
    const dy = (by / bw - ay / aw) * pixelY;
    const length = Math.hypot(dx, dy);
    if (!(length > 1e-3)) return;
    const half = Math.max(0.5, 0.5 * width * this.#ratio);
    const reach = half + 0.5;
    const offsetX = (-dy / length / pixelX) * reach;
    const offsetY = (dx / length / pixelY) * reach;
    const quad = this.#addQuad(color);
    for (let corner = 0; corner < 4; corner++) {
      const at = quad + 4 * corner;
      const side = corner & 1 ? 1 : -1;
      if (corner < 2) put(this.#clip, at, ax + side * offsetX * aw, ay + side * offsetY * aw, az, aw);
      else put(this.#clip, at, bx + side * offsetX * bw, by + side * offsetY * bw, bz, bw);
      put(this.#shape, at, side * reach, half, lineShape, 0);
    }
  }

  /** `left` and `top` are whole device pixels, so that glyphs stay as sharp as they were drawn. */
  #addGlyphs(text: string, left: number, top: number, color: Rgba, shape: number): void {
    const { image } = this.#atlas.texture;
    const padding = Math.ceil(glyphPadding * this.#ratio);
    let pen = left;
    for (const character of text) {
      const glyph = this.#atlas.get(character);
      if (!glyph) continue;
      const quad = this.#addQuad(color);
      for (let corner = 0; corner < 4; corner++) {
        const right = (corner & 1) * glyph.width;
        const down = (corner >> 1) * glyph.height;
        const x = (Math.round(pen) - padding + right) / this.#ratio;
        const y = (top - padding + down) / this.#ratio;
        put(this.#clip, quad + 4 * corner, this.#toClipX(x), this.#toClipY(y), 0, 1);
        const u = (glyph.x + right) / image.width;
        const v = (glyph.y + down) / image.height;
        put(this.#shape, quad + 4 * corner, u, v, shape, 0);
      }
      pen += glyph.advance * this.#ratio;
    }
  }

  /** Index of a new quad's first corner in each array; its colour is set. */
  #addQuad(color: Rgba): number {
    if (this.#count === this.#capacity) this.#grow(2 * this.#capacity);
    const at = 16 * this.#count++;
    for (let corner = 0; corner < 4; corner++) this.#color.set(color, at + 4 * corner);
    return at;
  }

  #grow(capacity: number): void {
    const grown = (old: Float32Array) => {
      const array = new Float32Array(16 * capacity);
      array.set(old);
      return array;
    };
    this.#capacity = capacity;
    this.#clip = grown(this.#clip);
    this.#color = grown(this.#color);
    this.#shape = grown(this.#shape);
    const geometry = new BufferGeometry();
    for (const [i, array] of [this.#clip, this.#color, this.#shape].entries()) {
      geometry.setAttribute(attributeNames[i], new BufferAttribute(array, 4).setUsage(DynamicDrawUsage));
    }
    const indices = new Uint32Array(6 * capacity);
    for (let quad = 0; quad < capacity; quad++) {
      indices.set(
        [0, 1, 2, 2, 1, 3].map((corner) => 4 * quad + corner),
        6 * quad,
      );
    }
    geometry.setIndex(new BufferAttribute(indices, 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }
}

function put(out: Float32Array, at: number, x: number, y: number, z: number, w: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = w;
}

/** Moves the end at `behind` along the line to where w is just positive. */
function clipEnd(ends: Float64Array, behind: number, before: number): void {
  const t = (ends[before + 3] - smallestW) / (ends[before + 3] - ends[behind + 3]);
  for (let i = 0; i < 4; i++) ends[behind + i] = ends[before + i] + t * (ends[behind + i] - ends[before + i]);
}
