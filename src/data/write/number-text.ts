/** A single-precision number in a few digits where they are enough for the same f32, in nine, which always are, elsewhere. */
export function textOfF32(value: number): string {
  const short = Number(value.toPrecision(7));
  return String(Math.fround(short) === value ? short : Number(value.toPrecision(9)));
}
