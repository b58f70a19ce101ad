/**
 * What the next covered pixel of a picture is expected to be like, row by row, from those before it: its depth's bits lie on a straight
 * line through the two pixels before it, since the depth of a plane is linear across the screen; where only one is there, on a plane through
 * it and two of the row above. Where a run begins it is that of the pixel above, else that of the last one. Colours are those of the pixel
 * before, above, or the last one.
 */
export class PixelPrediction {
  /** Bits of the expected depth, and of the expected colour, red lowest. */
  depth = 0;
  color = 0;
  #above: Row;
  #here: Row;
  #column = 0;
  /** Pixels before this one in its run. */
  #run = 0;
  #lastDepth = 0;
  #lastColor = 0;

  constructor(width: number) {
    this.#above = new Row(width);
    this.#here = new Row(width);
  }

  startRow(): void {
    const { isCovered } = this.#above;
    isCovered.fill(0);
    [this.#above, this.#here] = [this.#here, this.#above];
    this.#column = 0;
    this.#run = 0;
  }

  /** The next pixels of the row are not covered. */
  skip(pixels: number): void {
    this.#column += pixels;
    this.#run = 0;
  }

  /** The next pixel of the row is covered: says what is expected. */
  expect(): void {
    const column = this.#column;
    const { depth, color, isCovered } = this.#above;
    const isAbove = isCovered[column] === 1;
    if (this.#run > 0) {
      this.color = this.#lastColor;
      const last = this.#lastDepth;
      if (this.#run > 1) this.depth = (2 * last - this.#here.depth[column - 2]) | 0;
      else if (isAbove && isCovered[column - 1] === 1)
        this.depth = (last + depth[column] - depth[column - 1]) | 0;
      else this.depth = last;
    } else {
      this.depth = isAbove ? depth[column] : this.#lastDepth;
      this.color = isAbove ? color[column] : this.#lastColor;
    }
  }

  /** What it is. */
  add(depth: number, color: number): void {
    const here = this.#here;
    here.depth[this.#column] = depth;
    here.color[this.#column] = color;
    here.isCovered[this.#column++] = 1;
    this.#lastDepth = depth | 0;
    this.#lastColor = color;
    this.#run++;
  }
}

class Row {
  readonly depth: Int32Array;
  readonly color: Uint32Array;
  readonly isCovered: Uint8Array;

  constructor(width: number) {
    this.depth = new Int32Array(width);
    this.color = new Uint32Array(width);
    this.isCovered = new Uint8Array(width);
  }
}
