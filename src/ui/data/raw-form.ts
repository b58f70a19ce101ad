import { bytesPerElement, type DType, dtypes } from "../../core/dtype.ts";
import { formatBytes, formatCount } from "../../core/format.ts";
import type { Triple } from "../../core/grid.ts";
import type { RawDescription } from "../../engine/api.ts";
import { parseNumber, writeNumber } from "../controls/numbers.ts";

type Texts = readonly [string, string, string];

/** The dialog's inputs as typed. */
export interface RawForm {
  readonly dims: Texts;
  readonly dtype: DType;
  readonly byteOrder: RawDescription["byteOrder"];
  readonly components: string;
  readonly spacing: Texts;
  readonly origin: Texts;
  readonly headerBytes: string;
}

/** The layout that the form describes, or its first problem. */
export type RawReading =
  | { readonly raw: RawDescription; readonly neededBytes: number }
  | { readonly problem: string };

export function formOf({ dtype, byteOrder, ...raw }: RawDescription): RawForm {
  return {
    dims: textsOf(raw.dims),
    dtype,
    byteOrder,
    components: writeNumber(raw.components),
    spacing: textsOf(raw.spacing),
    origin: textsOf(raw.origin),
    headerBytes: writeNumber(raw.headerBytes),
  };
}

export function readForm(form: RawForm): RawReading {
  const dims = tripleOf(form.dims);
  if (!dims?.every((n) => Number.isInteger(n) && n >= 1)) {
    return { problem: "Points along x, y and z must be whole numbers of at least 1." };
  }
  const components = parseNumber(form.components);
  if (components === undefined || !Number.isInteger(components) || components < 1) {
    return { problem: "Components must be a whole number of at least 1." };
  }
  const spacing = tripleOf(form.spacing);
  if (!spacing?.every((h) => h > 0)) return { problem: "The spacing must be three positive numbers." };
  const origin = tripleOf(form.origin);
  if (!origin) return { problem: "The origin must be three numbers." };
  const headerBytes = parseNumber(form.headerBytes);
  if (headerBytes === undefined || !Number.isInteger(headerBytes) || headerBytes < 0) {
    return { problem: "The header's length must be a whole number of bytes." };
  }
  const { dtype, byteOrder } = form;
  const values = dims[0] * dims[1] * dims[2] * components;
  return {
    raw: { dims, dtype, byteOrder, components, spacing, origin, headerBytes },
    neededBytes: headerBytes + values * bytesPerElement(dtype),
  };
}

export const describeNeed = (neededBytes: number): string =>
  `${formatCount(neededBytes)} bytes needed (${formatBytes(neededBytes)})`;

/** Compares the bytes that the form's layout needs with those of the file. */
export function compareSizes(
  neededBytes: number,
  fileBytes: number,
): { readonly fits: boolean; readonly sentence: string } {
  const needed = describeNeed(neededBytes);
  const present = `${formatCount(fileBytes)} present`;
  if (neededBytes === fileBytes) return { fits: true, sentence: `${needed}, ${present}: an exact fit.` };
  const difference = formatCount(Math.abs(neededBytes - fileBytes));
  return neededBytes < fileBytes
    ? { fits: true, sentence: `${needed}, ${present}: ${difference} at the end would not be read.` }
    : { fits: false, sentence: `${needed}, ${present}: ${difference} are missing.` };
}

export const dtypeLabels: readonly { readonly value: DType; readonly label: string }[] = dtypes.map(
  (dtype) => {
    const kind = { i: "signed", u: "unsigned", f: "float" }[dtype[0]];
    return { value: dtype, label: `${dtype}: ${dtype.slice(1)}-bit ${kind}` };
  },
);

function textsOf(triple: Triple): Texts {
  return [writeNumber(triple[0]), writeNumber(triple[1]), writeNumber(triple[2])];
}

function tripleOf(texts: Texts): Triple | undefined {
  const [x, y, z] = texts.map(parseNumber);
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
}
