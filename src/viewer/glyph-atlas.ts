import { DataTexture, LinearFilter } from "three/webgpu";

/** The rectangle of a character in the atlas, in texels, and its advance in CSS pixels. */
export interface Glyph {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly advance: number;
}

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const fontSize = 12;
/** CSS pixels around a glyph's advance box that its halo and overhang may need. */
export const glyphPadding = 3;
/** CSS pixels from a line's top to its bottom. */
export const lineHeight = 15;
const initialCharacters = "0123456789.−×()⁰¹²³⁴⁵⁶⁷⁸⁹⁻ xyz";
const atlasWidth = 1024;

/**
 * Characters drawn by the browser's own text engine at the screen's resolution: coverage of the glyph in the red
 * channel, of the glyph with a halo around it in the green one.
 */
export class GlyphAtlas {
  readonly texture = new DataTexture(new Uint8Array(4), 1, 1);
  readonly #glyphs = new Map<string, Glyph>();
  readonly #characters = new Set(initialCharacters);
  #ratio = 0;

  constructor() {
    this.texture.magFilter = LinearFilter;
    this.texture.minFilter = LinearFilter;
  }

  /** Device pixels per CSS pixel of the atlas. */
  get ratio(): number {
    return this.#ratio;
  }

  /** Redraws the atlas if it lacks a character of `text`, or has another resolution. */
  prepare(text: string, ratio: number): void {
    const before = this.#characters.size;
    for (const character of text) this.#characters.add(character);
    if (ratio === this.#ratio && this.#characters.size === before) return;
    this.#ratio = ratio;
    this.#draw();
  }

  /** Undefined for a character that was in no text given to `prepare`. */
  get(character: string): Glyph | undefined {
    return this.#glyphs.get(character);
  }

  /** Width in CSS pixels. */
  measure(text: string): number {
    let width = 0;
    for (const character of text) width += this.#glyphs.get(character)?.advance ?? 0;
    return width;
  }

  #draw(): void {
    const ratio = this.#ratio;
    const padding = Math.ceil(glyphPadding * ratio);
    const height = Math.ceil(lineHeight * ratio) + 2 * padding;
    const font = `500 ${fontSize * ratio}px ${fontFamily}`;
    const measuring = context2d(1, 1);
    measuring.font = font;

    let x = 0;
    let y = 0;
    for (const character of this.#characters) {
      const advance = measuring.measureText(character).width;
      const width = Math.ceil(advance) + 2 * padding;
      if (x + width > atlasWidth) {
        x = 0;
        y += height;
      }
      this.#glyphs.set(character, { x, y, width, height, advance: advance / ratio });
      x += width;
    }

    const context = context2d(atlasWidth, y + height);
    context.font = font;
    context.textBaseline = "alphabetic";
    context.lineJoin = "round";
    context.lineWidth = 4 * ratio;
    context.fillStyle = "#000";
    context.fillRect(0, 0, atlasWidth, y + height);
    // The channels add up independently: first green for the halo, then red and green for the glyph itself.
    context.globalCompositeOperation = "lighter";
    context.strokeStyle = "#0f0";
    context.fillStyle = "#ff0";
    for (const [character, glyph] of this.#glyphs) {
      context.save();
      context.beginPath();
      context.rect(glyph.x, glyph.y, glyph.width, glyph.height);
      context.clip();
      const baseline = glyph.y + padding + Math.round(0.78 * lineHeight * ratio);
      context.strokeText(character, glyph.x + padding, baseline);
      context.fillText(character, glyph.x + padding, baseline);
      context.restore();
    }
    const { data } = context.getImageData(0, 0, atlasWidth, y + height);
    this.texture.dispose();
    this.texture.image = { data: new Uint8Array(data.buffer), width: atlasWidth, height: y + height };
    this.texture.needsUpdate = true;
  }
}

function context2d(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error(`no 2D canvas of ${width} × ${height} pixels`);
  return context;
}
