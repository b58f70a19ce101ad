/** Drawings on their way between ranks: what they cover, without loss, in few bytes. */
import { badMessage } from "../../cluster/wire/frame.ts";
import type { ViewSize } from "../../core/projection.ts";
import type { OffscreenDrawing } from "../../viewer/viewer.ts";
import { BitReader, BitWriter } from "./bit-stream.ts";
import { PixelPrediction } from "./pixel-prediction.ts";

/** The rectangle that holds what is covered, and the number of covered pixels, before the rest. */
const headerWords = 5;

/** Covered pixels whose numbers have the same widths. */
const groupPixels = 16;
/** Bits that say the width of a group's numbers: of red, green and blue, and of depths. */
const widthBits = { color: 4, depth: 6 };
/** Bits that say the width of a run's length, which follows. */
const runBits = 5;
/** Words of a group, and of a run, at the most. */
const maxGroupWords = groupPixels * 2;
const maxRunWords = 2;

interface Rectangle extends ViewSize {
  readonly x: number;
  readonly y: number;
}

/** A drawing as nothing is drawn: no colour, as deep as can be. */
export function emptyDrawing({ width, height }: ViewSize): OffscreenDrawing {
  const depth = new Float32Array(width * height).fill(1);
  return { width, height, color: new Uint8Array(4 * width * height), depth };
}

/** What the last picture was written into: the next one finds it large enough. */
const writer = new BitWriter();
/** A group's numbers: those of one channel after the other. */
const group = new Uint32Array(4 * groupPixels);

/**
 * Packs the opaque pixels of a drawing; what is drawn is opaque. The rectangle's pixels in their rows are runs that are not covered
 * and runs that are, by turns; of each its length. Of the covered pixels follow the colours and the depths, as differences from what
 * is expected after the pixels before them. Each number has as many bits as the largest of its kind among the pixels of a group.
 */
export function packDrawing(drawing: OffscreenDrawing): Uint8Array {
  const rectangle = coveredRectangle(drawing);
  const { x, y, width, height } = rectangle;
  writer.restart();
  writeRuns(drawing, rectangle);
  const covered = writePixels(drawing, rectangle);
  const words = writer.finish();
  const packed = new Uint32Array(headerWords + words.length);
  packed.set([x, y, width, height, covered]);
  packed.set(words, headerWords);
  return new Uint8Array(packed.buffer);
}

function writeRuns({ width: stride, depth }: OffscreenDrawing, { x, y, width, height }: Rectangle): void {
  let isCovered = false;
  let length = 0;
  for (let row = 0; row < height; row++) {
    const first = (y + row) * stride + x;
    for (let at = first; at < first + width; at++) {
      if (depth[at] < 1 !== isCovered) {
        writeRun(length);
        isCovered = !isCovered;
        length = 0;
      }
      length++;
    }
  }
  if (length > 0) writeRun(length);
}

function writeRun(length: number): void {
  const width = widthOf(length);
  writer.reserve(maxRunWords);
  writer.write(width, runBits);
  writer.write(length, width);
}

/** Says how many there are. */
function writePixels(drawing: OffscreenDrawing, { x, y, width, height }: Rectangle): number {
  const { color, depth } = drawing;
  const bits = bitsOf(depth);
  let covered = 0;
  const expected = new PixelPrediction(width);
  for (let row = 0; row < height; row++) {
    expected.startRow();
    const first = (y + row) * drawing.width + x;
    for (let at = first; at < first + width; at++) {
      if (depth[at] >= 1) {
        expected.skip(1);
        continue;
      }
      expected.expect();
      const place = covered % groupPixels;
      if (place === 0 && covered > 0) writeGroup(groupPixels);
      let own = 0;
      for (let channel = 0; channel < 3; channel++) {
        const value = color[4 * at + channel];
        const difference = ((value - (expected.color >>> (8 * channel))) << 24) >> 24;
        group[channel * groupPixels + place] = folded(difference);
        own |= value << (8 * channel);
      }
      group[3 * groupPixels + place] = folded((bits[at] - expected.depth) | 0);
      expected.add(bits[at], own);
      covered++;
    }
  }
  if (covered > 0) writeGroup(((covered - 1) % groupPixels) + 1);
  return covered;
}

function writeGroup(pixels: number): void {
  writer.reserve(maxGroupWords);
  for (let channel = 0; channel < 4; channel++) {
    const first = channel * groupPixels;
    let all = 0;
    for (let at = first; at < first + pixels; at++) all |= group[at];
    const width = widthOf(all);
    writer.write(width, channel < 3 ? widthBits.color : widthBits.depth);
    if (width === 0) continue;
    for (let at = first; at < first + pixels; at++) writer.write(group[at], width);
  }
}

/** Small differences of either sign as small numbers. */
const folded = (difference: number): number => (difference << 1) ^ (difference >> 31);
const unfolded = (number: number): number => (number >>> 1) ^ -(number & 1);

const widthOf = (number: number): number => 32 - Math.clz32(number);

/** Draws what another rank has packed, wherever it is nearer than what is there. Throws BadMessage for anything else. */
export function drawPacked(into: OffscreenDrawing, packed: Uint8Array): void {
  const { rectangle, covered, reader } = opened(into, packed);
  const { x, y, width, height } = rectangle;
  const runs = readRuns(reader, width * height, covered);
  const bits = bitsOf(into.depth);
  const asFloat = new Float32Array(1);
  const asBits = new Uint32Array(asFloat.buffer);
  const { color, depth } = into;
  const expected = new PixelPrediction(width);
  let [pixel, run, isCovered, left] = [0, 0, false, runs[0] ?? 0];
  for (let row = 0; row < height; row++) {
    expected.startRow();
    for (let column = 0; column < width; ) {
      while (left === 0) {
        isCovered = !isCovered;
        left = runs[++run];
      }
      if (!isCovered) {
        const skipped = Math.min(left, width - column);
        expected.skip(skipped);
        column += skipped;
        left -= skipped;
        continue;
      }
      const slot = pixel % groupPixels;
      if (slot === 0) readGroup(reader, Math.min(groupPixels, covered - pixel));
      expected.expect();
      const former = expected.color;
      const red = (former + unfolded(group[slot])) & 255;
      const green = ((former >>> 8) + unfolded(group[groupPixels + slot])) & 255;
      const blue = ((former >>> 16) + unfolded(group[2 * groupPixels + slot])) & 255;
      asBits[0] = expected.depth + unfolded(group[3 * groupPixels + slot]);
      expected.add(asBits[0], red | (green << 8) | (blue << 16));
      const at = (y + row) * into.width + x + column;
      pixel++;
      column++;
      left--;
      if (!(asFloat[0] < depth[at])) continue;
      bits[at] = asBits[0];
      color[4 * at] = red;
      color[4 * at + 1] = green;
      color[4 * at + 2] = blue;
      color[4 * at + 3] = 255;
    }
  }
  if (!reader.isAtEnd) throw badPicture();
}

/** The lengths of runs of so many pixels, those that are not covered first. */
function readRuns(reader: BitReader, pixels: number, covered: number): readonly number[] {
  const runs: number[] = [];
  let [place, sum] = [0, 0];
  while (place < pixels) {
    const length = reader.read(reader.read(runBits));
    if (length > pixels - place || (length === 0 && place > 0)) throw badPicture();
    if (runs.length % 2 === 1) sum += length;
    runs.push(length);
    place += length;
    if (runs.length > 1 && place === 0) throw badPicture();
  }
  if (sum !== covered) throw badPicture();
  return runs;
}

function readGroup(reader: BitReader, pixels: number): void {
  for (let channel = 0; channel < 4; channel++) {
    const width = reader.read(channel < 3 ? widthBits.color : widthBits.depth);
    if (width > (channel < 3 ? 8 : 32)) throw badPicture();
    const first = channel * groupPixels;
    for (let at = first; at < first + pixels; at++) group[at] = reader.read(width);
  }
}

const bitsOf = (depth: Float32Array): Uint32Array =>
  new Uint32Array(depth.buffer, depth.byteOffset, depth.length);

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
  if (packed.length < 4 * headerWords || packed.length % 4 !== 0) throw badPicture();
  const words = new Uint32Array(packed.slice().buffer);
  const [x, y, width, height, covered] = words;
  if (x + width > into.width || y + height > into.height || covered > width * height) throw badPicture();
  const reader = new BitReader(words.subarray(headerWords));
  return { rectangle: { x, y, width, height }, covered, reader };
}

const badPicture = () => badMessage("an invalid picture");
