/** A single-precision number in seven digits if they identify it, else in nine, which always do. */
export function textOfF32(value: number): string {
  const short = Number(value.toPrecision(7));
  return String(Math.fround(short) === value ? short : Number(value.toPrecision(9)));
}
