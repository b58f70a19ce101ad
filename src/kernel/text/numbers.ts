import type { Span } from "../../core/errors.ts";
import { literal } from "../build.ts";
import { kernelError } from "../errors.ts";
import { f32, i32, u32 } from "../types.ts";
import { abstractNumber, type Lowered } from "./abstract.ts";

const hexadecimal = /^0[xX]([\dA-Fa-f]+)([ui]?)$/;
const decimal = /^((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([uif]?)$/;

/** The value of a number as it is written, with WGSL's suffixes. */
export function numberValue(text: string, span: Span): Lowered {
  const hex = hexadecimal.exec(text);
  const parts = hex ?? decimal.exec(text);
  const digits = parts?.[1] ?? "";
  const suffix = parts?.[2] ?? "";
  const isFloat = !hex && (/[.eE]/.test(digits) || suffix === "f");
  const isPadded = !hex && !isFloat && /^0\d/.test(digits);
  if (!parts || isPadded || (isFloat && (suffix === "u" || suffix === "i"))) {
    throw kernelError(
      `“${text}” is not a number.`,
      "Numbers are written like 12, 12u, 12i, 0x1f, 1.5, 1.5f or 1e-3.",
      span,
    );
  }
  const value = Number(hex ? `0x${digits}` : digits);
  if (suffix === "u") return literal(value, u32, span);
  if (suffix === "i") return literal(value, i32, span);
  if (suffix === "f") return literal(value, f32, span);
  if (!Number.isFinite(value) || (!isFloat && !Number.isSafeInteger(value))) {
    throw kernelError(`The number ${text} is too large.`, "No type of kernels holds it.", span);
  }
  return abstractNumber(value, isFloat, span);
}
