const powersOfTen = Float64Array.from({ length: 23 }, (_, i) => 10 ** i);

const zero = 0x30;
const nine = 0x39;

/**
 * The number written in bytes[from, to), correctly rounded; NaN for `nan` texts and for anything that is no number
 * (`isNaNText` tells them apart). Up to 15 digits with a small exponent take Clinger's exact fast path.
 */
export function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  let negative = false;
  const first = bytes[at];
  if (first === 0x2d || first === 0x2b) {
    negative = first === 0x2d;
    at++;
  }
  let mantissa = 0;
  let digits = 0;
  let exponent = 0;
  const start = at;
  let c = bytes[at];
  while (at < to && c >= zero && c <= nine) {
    mantissa = mantissa * 10 + (c - zero);
    digits++;
    c = bytes[++at];
  }
  if (at < to && c === 0x2e) {
    c = bytes[++at];
    while (at < to && c >= zero && c <= nine) {
      mantissa = mantissa * 10 + (c - zero);
      digits++;
      exponent--;
      c = bytes[++at];
    }
  }
  if (digits === 0 || digits > 15) return parseSlowly(bytes, from, to, start);
  if (at < to) {
    if (c !== 0x65 && c !== 0x45) return parseSlowly(bytes, from, to, start);
    c = bytes[++at];
    const down = c === 0x2d;
    if (down || c === 0x2b) c = bytes[++at];
    if (at >= to || to - at > 4) return parseSlowly(bytes, from, to, start);
    let power = 0;
    for (; at < to; c = bytes[++at]) {
      if (c < zero || c > nine) return Number.NaN;
      power = power * 10 + (c - zero);
    }
    exponent += down ? -power : power;
  }
  if (exponent < -22 || exponent > 22) return parseSlowly(bytes, from, to, start);
  const value = exponent < 0 ? mantissa / powersOfTen[-exponent] : mantissa * powersOfTen[exponent];
  return negative ? -value : value;
}

function parseSlowly(bytes: Uint8Array, from: number, to: number, unsignedFrom: number): number {
  const text = latin1(bytes, from, to);
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^(inf|infinity|1\.#inf)$/i.test(latin1(bytes, unsignedFrom, to))) {
    return bytes[from] === 0x2d ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return Number.NaN;
}

/** Whether a text is one of the ways in which C libraries print not-a-number. */
export function isNaNText(text: string): boolean {
  return /^[+-]?(nan(\([^)]*\))?|1\.#(qnan|snan|ind|nan))$/i.test(text);
}

/** Bytes as text, one character each; for short ASCII tokens. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
