import { exactDigits, furtherDigits, greatestExactPower, scaleLong, scaleShort } from "./decimal.ts";

const zero = 0x30;
const nine = 0x39;
const maxExponentDigits = 4;

/**
 * The number written in bytes[from, to), correctly rounded; NaN for `nan` texts and for anything else that is not a
 * number (`isNaNText` distinguishes them). Up to 19 digits with a usual exponent need no text.
 */
export function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === 0x2d;
  if (negative || bytes[at] === 0x2b) at++;
  const start = at;
  let head = 0;
  let tail = 0;
  let digits = 0;
  let seen = false;
  let point = -1;
  for (; at < to; at++) {
    const c = bytes[at];
    if (c >= zero && c <= nine) {
      seen = true;
      if (digits < exactDigits) head = head * 10 + (c - zero);
      else tail = tail * 10 + (c - zero);
      if (head !== 0) digits++;
    } else if (c === 0x2e && point < 0) point = at + 1;
    else break;
  }
  if (!seen) return parseSlowly(bytes, from, to, start);
  let exponent = point < 0 ? 0 : point - at;
  if (at < to) {
    const sign = bytes[at + 1];
    const power = at + (sign === 0x2d || sign === 0x2b ? 2 : 1);
    if ((bytes[at] | 0x20) !== 0x65 || power >= to || to - power > maxExponentDigits) {
      return parseSlowly(bytes, from, to, start);
    }
    let value = 0;
    for (at = power; at < to; at++) {
      const c = bytes[at];
      if (c < zero || c > nine) return Number.NaN;
      value = value * 10 + (c - zero);
    }
    exponent += sign === 0x2d ? -value : value;
  }
  let value = Number.NaN;
  if (exponent >= -greatestExactPower && exponent <= greatestExactPower) {
    const further = digits - exactDigits;
    if (further <= 0) value = scaleShort(head, exponent);
    else if (further <= furtherDigits && exponent <= 0) value = scaleLong(head, tail, further, -exponent);
  }
  if (Number.isNaN(value)) return parseSlowly(bytes, from, to, start);
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
