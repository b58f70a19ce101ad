/** Drawings on their way between ranks: what they cover, without loss, in few bytes. */
import { deflateSync, inflateSync } from "fflate";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { ViewSize } from "../../core/projection.ts";
import type { OffscreenDrawing } from "../../viewer/viewer.ts";

/** The rectangle that holds what is covered, and the number of covered pixels, before the deflated rest. */
const headerWords = 5;
/** Of a covered pixel: red, green, blue, and the four bytes of its depth's difference from the expected one. */
const bytesPerPixel = 7;

interface Rectangle extends ViewSize {
  readonly x: number;
  readonly y: number;
}

/** A drawing as nothing is drawn: no colour, as deep as can be. */
export function emptyDrawing({ width, height }: ViewSize): OffscreenDrawing {
  const depth = new Float32Array(width * height).fill(1);
  return { width, height, color: new Uint8Array(4 * width * height), depth };
}

/**
 * Packs the opaque pixels of a drawing; what is drawn is opaque. A mask says which pixels of the rectangle are covered. Of these
 * follow the colours, as differences from the covered pixel before, and the depths: their bits, as differences from a
 * straight line through the two pixels before them in the row, since the depth of a plane is linear across the screen. Each byte of these
 * words is in a plane of its own, and all of it is deflated.
 */
export function packDrawing(drawing: OffscreenDrawing): Uint8Array {
  const rectangle = coveredRectangle(drawing);
  const { x, y, width, height } = rectangle;
  const covered = countCovered(drawing);
  const maskBytes = Math.ceil((width * height) / 8);
  const payload = new Uint8Array(maskBytes + bytesPerPixel * covered);
  const planes = planesOf(payload, maskBytes, covered);
  const bits = bitsOf(drawing.depth);
  const { color } = drawing;
  let pixel = 0;
  let former = -1;
  const line = new Line();
  for (let row = 0; row < height; row++) {
    line.end();
    for (let column = 0; column < width; column++) {
      const at = (y + row) * drawing.width + x + column;
      if (drawing.depth[at] >= 1) {
        line.end();
        continue;
      }
      const place = row * width + column;
      payload[place >> 3] |= 1 << (place & 7);
      for (let channel = 0; channel < 3; channel++) {
        const before = former < 0 ? 0 : color[4 * former + channel];
        planes[channel][pixel] = color[4 * at + channel] - before;
      }
      const difference = (bits[at] - line.next) | 0;
      // Small differences of either sign have small words.
      const word = (difference << 1) ^ (difference >> 31);
      for (let byte = 0; byte < 4; byte++) planes[3 + byte][pixel] = word >>> (8 * byte);
      line.add(bits[at]);
      former = at;
      pixel++;
    }
  }
  const deflated = deflateSync(payload, { level: 1 });
  const packed = new Uint8Array(4 * headerWords + deflated.length);
  new Uint32Array(packed.buffer, 0, headerWords).set([x, y, width, height, covered]);
  packed.set(deflated, 4 * headerWords);
  return packed;
}

/** Draws what another rank has packed, wherever it is nearer than what is there. Throws BadMessage for anything else. */
export function drawPacked(into: OffscreenDrawing, packed: Uint8Array): void {
  const { rectangle, covered, payload, maskBytes } = opened(into, packed);
  const { x, y, width, height } = rectangle;
  const planes = planesOf(payload, maskBytes, covered);
  const bits = bitsOf(into.depth);
  const asFloat = new Float32Array(1);
  const asBits = new Uint32Array(asFloat.buffer);
  const { color, depth } = into;
  const line = new Line();
  let pixel = 0;
  let [red, green, blue] = [0, 0, 0];
  for (let row = 0; row < height; row++) {
    line.end();
    for (let column = 0; column < width; column++) {
      const place = row * width + column;
      if ((payload[place >> 3] & (1 << (place & 7))) === 0) {
        line.end();
        continue;
      }
      if (pixel >= covered) throw badPicture();
      red = (red + planes[0][pixel]) & 255;
      green = (green + planes[1][pixel]) & 255;
      blue = (blue + planes[2][pixel]) & 255;
      const word =
        planes[3][pixel] | (planes[4][pixel] << 8) | (planes[5][pixel] << 16) | (planes[6][pixel] << 24);
      asBits[0] = line.next + ((word >>> 1) ^ -(word & 1));
      line.add(asBits[0]);
      pixel++;
      const at = (y + row) * into.width + x + column;
      if (!(asFloat[0] < depth[at])) continue;
      bits[at] = asBits[0];
      color[4 * at] = red;
      color[4 * at + 1] = green;
      color[4 * at + 2] = blue;
      color[4 * at + 3] = 255;
    }
  }
  if (pixel !== covered) throw badPicture();
}

/** The next number of a sequence, as a straight line through the last two has it. */
class Line {
  next = 0;
  #last = 0;
  #length = 0;

  /** What follows has nothing to do with what was before; its first number is expected to be the last one. */
  end(): void {
    this.#length = 0;
    this.next = this.#last;
  }

  add(bits: number): void {
    this.next = this.#length > 0 ? (2 * bits - this.#last) | 0 : bits | 0;
    this.#last = bits;
    this.#length++;
  }
}

const bitsOf = (depth: Float32Array): Uint32Array =>
  new Uint32Array(depth.buffer, depth.byteOffset, depth.length);

const planesOf = (payload: Uint8Array, from: number, length: number): Uint8Array[] =>
  Array.from({ length: bytesPerPixel }, (_, k) =>
    payload.subarray(from + k * length, from + (k + 1) * length),
  );

function countCovered({ depth }: OffscreenDrawing): number {
  let covered = 0;
  for (let at = 0; at < depth.length; at++) if (depth[at] < 1) covered++;
  return covered;
}

/** The smallest rectangle with all covered pixels. */
function coveredRectangle({ width, height, depth }: OffscreenDrawing): Rectangle {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (depth[y * width + x] >= 1) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
      if (y < top) top = y;
      bottom = y + 1;
    }
  }
  if (bottom === 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function opened(into: ViewSize, packed: Uint8Array) {
  if (packed.length < 4 * headerWords) throw badPicture();
  const [x, y, width, height, covered] = new Uint32Array(packed.slice(0, 4 * headerWords).buffer);
  if (x + width > into.width || y + height > into.height || covered > width * height) throw badPicture();
  const maskBytes = Math.ceil((width * height) / 8);
  const out = new Uint8Array(maskBytes + bytesPerPixel * covered);
  let payload: Uint8Array;
  try {
    payload = inflateSync(packed.subarray(4 * headerWords), { out });
  } catch {
    throw badPicture();
  }
  if (payload.length !== out.length) throw badPicture();
  return { rectangle: { x, y, width, height }, covered, payload, maskBytes };
}

const badPicture = () => badMessage("a picture that is none");
