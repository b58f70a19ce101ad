import type { DType } from "../../core/dtype.ts";
import { badFile, printable, unsupported } from "../failure.ts";
import type { Source } from "../source.ts";

/** What a NIfTI header says, of either version. Arrays are indexed by axis from 0. */
export interface NiftiHeader {
  readonly littleEndian: boolean;
  /** Sizes of up to seven axes: three of space, time, components, and two more. */
  readonly sizes: readonly number[];
  readonly dtype: DType;
  /** Components of a value that lie together: 2 of complex numbers, 3 and 4 of colours. */
  readonly together: number;
  /** Lengths of a step along each axis; `qfac` is the first entry's sign. */
  readonly steps: readonly number[];
  readonly qfac: 1 | -1;
  /** Byte of the first value. */
  readonly start: number;
  readonly slope: number;
  readonly intercept: number;
  readonly lengthUnit: string | undefined;
  /** Rows [x, y, z, offset] of the affine transform, if there is one. */
  readonly affine: readonly (readonly number[])[] | undefined;
  /** b, c and d of a rotation, and where the first value is, if there is one. */
  readonly rotation:
    | { readonly quaternion: readonly number[]; readonly offset: readonly number[] }
    | undefined;
  /** Whether values follow in the same file. */
  readonly isSingle: boolean;
}

const types: Readonly<Record<number, readonly [dtype: DType, together: number]>> = {
  2: ["u8", 1],
  4: ["i16", 1],
  8: ["i32", 1],
  16: ["f32", 1],
  32: ["f32", 2],
  64: ["f64", 1],
  128: ["u8", 3],
  256: ["i8", 1],
  512: ["u16", 1],
  768: ["u32", 1],
  1024: ["i64", 1],
  1280: ["u64", 1],
  1792: ["f64", 2],
  2304: ["u8", 4],
};

const lengthUnits: Readonly<Record<number, string>> = { 1: "metres", 2: "millimetres", 3: "micrometres" };

/** Bytes of the headers of versions 1 and 2. */
const headerBytes = { 1: 348, 2: 540 } as const;

/** Where the two versions keep things, and how. */
interface Layout {
  readonly dims: number;
  readonly dim: (view: DataView, at: number, little: boolean) => number;
  readonly dimBytes: number;
  readonly type: number;
  readonly steps: number;
  readonly start: number;
  readonly scale: number;
  readonly qform: number;
  readonly sform: number;
  readonly code: (view: DataView, at: number, little: boolean) => number;
  readonly quaternion: number;
  readonly affine: number;
  readonly units: number;
  readonly real: (view: DataView, at: number, little: boolean) => number;
  readonly realBytes: number;
}

const i16: Layout["dim"] = (view, at, little) => view.getInt16(at, little);
const i32: Layout["dim"] = (view, at, little) => view.getInt32(at, little);
const i64: Layout["dim"] = (view, at, little) => Number(view.getBigInt64(at, little));
const f32: Layout["dim"] = (view, at, little) => view.getFloat32(at, little);
const f64: Layout["dim"] = (view, at, little) => view.getFloat64(at, little);

const layouts: Readonly<Record<1 | 2, Layout>> = {
  1: {
    dims: 40,
    dim: i16,
    dimBytes: 2,
    type: 70,
    steps: 76,
    start: 108,
    scale: 112,
    qform: 252,
    sform: 254,
    code: i16,
    quaternion: 256,
    affine: 280,
    units: 123,
    real: f32,
    realBytes: 4,
  },
  2: {
    dims: 16,
    dim: i64,
    dimBytes: 8,
    type: 12,
    steps: 104,
    start: 168,
    scale: 176,
    qform: 344,
    sform: 348,
    code: i32,
    quaternion: 352,
    affine: 400,
    units: 500,
    real: f64,
    realBytes: 8,
  },
};

/** Reads the header of NIfTI-1 or NIfTI-2 (nifti.nimh.nih.gov). Throws BadFile, UnsupportedFormat. */
export async function readNiftiHeader(source: Source): Promise<NiftiHeader> {
  const { name } = source;
  const bytes = await source.read(0, Math.min(source.size, headerBytes[2]));
  const view = new DataView(bytes.buffer);
  const little = bytes.length >= 4 && [348, 540].includes(view.getInt32(0, true));
  const size = bytes.length >= 4 ? view.getInt32(0, little) : 0;
  const edition = size === headerBytes[2] ? 2 : 1;
  if (bytes.length < headerBytes[edition] || size !== headerBytes[edition])
    throw badFile(
      name,
      "byte 0",
      "a NIfTI header should begin here, of 348 or 540 bytes.",
      "The file is damaged.",
    );
  const layout = layouts[edition];
  const reals = (at: number, count: number) =>
    Array.from({ length: count }, (_, k) => layout.real(view, at + k * layout.realBytes, little));
  const dims = Array.from({ length: 8 }, (_, k) =>
    layout.dim(view, layout.dims + k * layout.dimBytes, little),
  );
  const [axes, ...all] = dims;
  if (!(axes >= 1 && axes <= 7))
    throw badFile(name, `byte ${layout.dims}`, `${axes} axes are stated, where 1 to 7 are expected.`);
  const sizes = all.map((each, axis) => (axis < axes ? each : 1));
  const wrong = sizes.find((each) => !(Number.isSafeInteger(each) && each > 0));
  if (wrong !== undefined) throw badFile(name, `byte ${layout.dims}`, `an axis of size ${wrong} is stated.`);
  const code = view.getInt16(layout.type, little);
  const type = types[code];
  if (!type) {
    throw unsupported(
      `“${name}” has values of NIfTI's type ${code}.`,
      "Crinkle reads integers of 1 to 8 bytes, float, double, complex and colours.",
    );
  }
  const [qfac, ...steps] = reals(layout.steps, 8);
  const start = edition === 1 ? layout.real(view, layout.start, little) : i64(view, layout.start, little);
  const [slope, intercept] = reals(layout.scale, 2);
  const units = edition === 1 ? view.getUint8(layout.units) : view.getInt32(layout.units, little);
  const magic = printable(String.fromCharCode(...bytes.subarray(edition === 1 ? 344 : 4).subarray(0, 3)));
  if (!(Number.isSafeInteger(start) && start >= 0))
    throw badFile(name, `byte ${layout.start}`, `the values are said to start at byte ${start}.`);
  return {
    littleEndian: little,
    sizes,
    dtype: type[0],
    together: type[1],
    steps,
    qfac: qfac < 0 ? -1 : 1,
    start,
    slope,
    intercept,
    lengthUnit: lengthUnits[units & 7],
    affine:
      layout.code(view, layout.sform, little) > 0
        ? [0, 1, 2].map((row) => reals(layout.affine + 4 * row * layout.realBytes, 4))
        : undefined,
    rotation:
      layout.code(view, layout.qform, little) > 0
        ? {
            quaternion: reals(layout.quaternion, 3),
            offset: reals(layout.quaternion + 3 * layout.realBytes, 3),
          }
        : undefined,
    isSingle: magic[1] === "+",
  };
}
