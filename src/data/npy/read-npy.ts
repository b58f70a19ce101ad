import { badFile, printable, unsupported } from "../failure.ts";
import type { Source } from "../source.ts";

/** What the header of one of NumPy's arrays says. */
export interface NpyHeader {
  /** NumPy's description of an element, such as “<f4”. */
  readonly description: string;
  /** 1, 2, 4, 8 or 16. */
  readonly elementBytes: number;
  /** Lengths along the axes, the fastest first: NumPy's shape from its end, of Fortran's order from its beginning. */
  readonly lengths: readonly number[];
  readonly isFortranOrder: boolean;
  /** The first byte of the elements, which take the rest of the file. */
  readonly start: number;
}

/** An array of NumPy's, of any number of axes; its numbers as they are stored. */
export interface NpyArray extends NpyHeader {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const magic = "\x93NUMPY";

/** Whether a file begins as NumPy's arrays do. */
export async function isNpy(source: Source): Promise<boolean> {
  if (source.size < magic.length) return false;
  return latin(await source.read(0, magic.length)) === magic;
}

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Reads .npy of versions 1 to 3 with numbers of 1 to 16 bytes. Throws BadFile with the byte, UnsupportedFormat. */
export async function readNpy(source: Source): Promise<NpyArray> {
  const header = await readNpyHeader(source);
  return { ...header, bytes: await source.read(header.start, source.size) };
}

/** Reads what `readNpy` does, but for the elements. */
export async function readNpyHeader(source: Source): Promise<NpyHeader> {
  const { name, size } = source;
  const prefix = await source.read(0, Math.min(size, 12));
  const view = new DataView(prefix.buffer);
  if (prefix.length < 12) throw badFile(name, `byte ${prefix.length}`, "the file ends within its header.");
  const version = prefix[6];
  if (version < 1 || version > 3)
    throw unsupported(`“${name}” is NumPy's format ${version}.`, "Save it by numpy.save.");
  const headStart = version === 1 ? 10 : 12;
  const dataStart = headStart + (version === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (dataStart > size) throw badFile(name, `byte ${size}`, "the file ends within its header.");
  const head = latin(await source.read(headStart, dataStart));
  const description = /'descr':\s*'([^']*)'/.exec(head)?.[1];
  const order = /'fortran_order':\s*(True|False)/.exec(head)?.[1];
  const shape = /'shape':\s*\(([\d\s,]*)\)/.exec(head)?.[1];
  if (
    order === undefined ||
    shape === undefined ||
    (description === undefined && !/'descr':\s*\[/.test(head))
  ) {
    throw badFile(name, `byte ${headStart}`, "its header does not describe an array.", "It may be damaged.");
  }
  const [, , bytes] = /^([<>|=])[biufc](\d+)$/.exec(description ?? "") ?? [];
  const elementBytes = Number(bytes);
  if (description === undefined || ![1, 2, 4, 8, 16].includes(elementBytes)) {
    throw unsupported(
      `“${name}” has elements of the type ${printable(description ?? "of records")}.`,
      "Crinkle reads booleans, integers, floats and complex numbers of 1 to 16 bytes.",
    );
  }
  const isFortranOrder = order === "True";
  const axes = shape
    .split(",")
    .map((length) => length.trim())
    .filter((length) => length !== "")
    .map(Number);
  const lengths = isFortranOrder ? axes : [...axes].reverse();
  const needed = lengths.reduce((count, length) => count * length, elementBytes);
  if (size - dataStart !== needed) {
    throw badFile(
      name,
      `byte ${dataStart}`,
      `${size - dataStart} bytes follow, where the shape (${axes.join(", ")}) of ${description} takes ${needed}.`,
      "The file is truncated, or its header is wrong.",
    );
  }
  return {
    description,
    elementBytes,
    lengths: lengths.length === 0 ? [1] : lengths,
    isFortranOrder,
    start: dataStart,
  };
}
