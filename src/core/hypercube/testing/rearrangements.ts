/** What every implementation that applies index maps is tested with. */
export interface RearrangementCase {
  readonly name: string;
  /** The fastest first. */
  readonly lengths: readonly number[];
  readonly text: string;
}

/** Each kind of map, in rows that are short and long, aligned and not, with and without zeros. */
export const rearrangementCases = (): readonly RearrangementCase[] =>
  (
    [
      [[5], "flip(x)"],
      [[1, 1], "flip(x)"],
      [[259], "shift(x, -7)"],
      [[66000], "shift(x, 12345)"],
      [[13, 11], "flip(x, y) | shift(y, 4)"],
      [[64, 9], "shift(y, 2) | flip(y)"],
      [[40, 6], "pshift(x, 33)"],
      [[40, 6], "pshift(x, 5) | pshift(y, -1)"],
      [[16, 6], "pad(x, 1, 4) | pad(y, 2, 0)"],
      [[17, 5], "crop(x, 1, 3) | crop(y, 0, 2)"],
      [[12, 10], "crinkle(x, 4) | crinkle(y, 5)"],
      [[128, 3], "crinkle(x, 2) | shift(x, 3)"],
      [[31, 7], "crinkle(x, 2, pad)"],
      [[21, 14], "transpose(x, y)"],
      [[45, 70], "transpose(x, y) | pad(x, 1, 2) | shift(y, 5) | flip(x)"],
      [[3, 500], "transpose(x, y)"],
      [[500, 3], "transpose(x, y)"],
      [[600, 2], "crinkle(x, 2) | shift(x, 3)"],
      [[12, 9, 10], "permute(y, z, x)"],
      [[4, 5, 6], "permute(z, x, y) | flip(x)"],
      [[8, 4, 16], "morton()"],
      [[512], "morton() | unmorton(8, 4, 16)"],
      [[8, 12], "tile(4, 3) | shift(0, 1) | untile() | shift(x, 3)"],
      [[2, 3, 2, 3, 2, 3], "flip(5) | shift(1, 1) | transpose(0, 4)"],
      [[6, 4], "shift(x, 99) | shift(x, -99)"],
    ] as const
  ).map(([lengths, text]) => ({ name: `[${[...lengths].reverse().join(",")}] ${text}`, lengths, text }));

/** The numbers as elements of so many bytes, each byte of which differs. */
export function elementsOf(values: readonly number[], bytes: number): Uint8Array<ArrayBuffer> {
  const elements = new Uint8Array(values.length * bytes);
  for (const [k, value] of values.entries()) {
    for (let b = 0; value !== 0 && b < bytes; b++)
      elements[k * bytes + b] = (value >> (8 * (b % 3))) ^ (31 * b) ^ (value * 7);
  }
  return elements;
}
