const powersOfTen = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** Powers of ten that an f64 holds exactly. */
export const greatestExactPower = 22;

/** Significant digits that always fit an f64. */
export const exactDigits = 15;

/** Further digits that `scaleLong` can take. */
export const furtherDigits = 4;

/** mantissa · 10^exponent, correctly rounded, for a mantissa of up to 15 digits and |exponent| ≤ 22 (Clinger 1990). */
export function scaleShort(mantissa: number, exponent: number): number {
  return exponent < 0 ? mantissa / powersOfTen[-exponent] : mantissa * powersOfTen[exponent];
}

/**
 * (head · 10^tailDigits + tail) / 10^down, correctly rounded, for a head of 15 digits, a tail of up to four and
 * down ≤ 22; NaN in the rare case that double-double arithmetic (Dekker 1971) leaves the last bit in doubt.
 */
export function scaleLong(head: number, tail: number, tailDigits: number, down: number): number {
  const shift = powersOfTen[tailDigits];
  const product = head * shift;
  const productError = errorOfProduct(head, shift, product);
  const high = product + (productError + tail);
  const low = product - high + productError + tail;
  const divisor = powersOfTen[down];
  const quotient = high / divisor;
  const back = quotient * divisor;
  const rest = high - back - errorOfProduct(quotient, divisor, back) + low;
  const correction = rest / divisor;
  const doubt = Math.abs(correction) * 1e-12;
  const value = quotient + (correction - doubt);
  return value === quotient + (correction + doubt) ? value : Number.NaN;
}

/** a · b − product, exactly, where `product` is a · b rounded. */
function errorOfProduct(a: number, b: number, product: number): number {
  const splitter = 134217729;
  const aBig = splitter * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = splitter * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
