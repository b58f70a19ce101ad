import { bytesPerElement, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { deferredArray } from "../bytes/deferred.ts";
import { Yielder } from "../bytes/yielder.ts";
import { companionOf, type FindCompanion } from "../companion.ts";
import { unsupported } from "../failure.ts";
import { type ImageAxes, placeAxes } from "../image-axes.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { type NiftiHeader, readNiftiHeader } from "./header.ts";

const maxComponents = 16;

/**
 * Opens NIfTI-1 and NIfTI-2, .nii or .hdr with the .img beside it: the first time step, with slope and intercept applied. The field is
 * called “values”.
 */
export async function readNifti(
  source: Source,
  job: JobContext,
  options: { readonly companions?: FindCompanion },
): Promise<StoredData> {
  const header = await readNiftiHeader(source);
  const { sizes, together, dtype, start } = header;
  const [nx, ny, nz, times, apart, ...others] = sizes;
  if (others.some((size) => size > 1) || apart > maxComponents || (apart > 1 && together > 1)) {
    throw unsupported(
      `“${source.name}” has axes of sizes ${sizes.join(", ")}.`,
      `Crinkle reads three axes of space, the first step of time, and up to ${maxComponents} components.`,
    );
  }
  const yielder = new Yielder(job, `Reading ${source.name}`);
  const data = header.isSingle
    ? source
    : companionOf(source.name, source.name.replace(/\.hdr$/i, ".img"), options.companions);
  const { grid, notes } = geometryOf(header);
  const builder = new DataSetBuilder(source.name, grid);
  for (const note of notes) builder.note(note);
  if (times > 1) builder.note(`The first of ${formatCount(times)} time steps is read.`);
  const count = nx * ny * nz;
  const order = header.littleEndian ? "little" : "big";
  const at = (component: number) => {
    const before = component * times * count * together * bytesPerElement(dtype);
    return new ByteCursor(data, yielder, Math.min(start + before, data.size), data.size, 0);
  };
  const components = apart * together;
  if (apart === 1 && !isScaled(header)) {
    builder.add(
      "values",
      "node",
      components,
      deferredArray(at(0), dtype, count * together, order, "the field"),
    );
    return builder.build();
  }
  const isWide = bytesPerElement(dtype) > 2;
  const values = allocate(
    isScaled(header) ? (isWide ? "f64" : "f32") : dtype,
    count * components,
    "the field",
  );
  const { slope, intercept } = scaleOf(header);
  for (let component = 0; component < apart; component++) {
    const stored = await deferredArray(at(component), dtype, count * together, order, "the field").read(
      0,
      count * together,
      job,
    );
    spread(stored, values, component, apart, isScaled(header) ? (x) => slope * x + intercept : undefined);
  }
  builder.add("values", "node", components, values);
  return builder.build();
}

/** Writes stored values to every `stride`-th place from `first` on. */
function spread(
  stored: TypedArray,
  values: TypedArray,
  first: number,
  stride: number,
  change: ((value: number) => number) | undefined,
): void {
  const from = stored as ArrayLike<number | bigint>;
  const to = values as { [index: number]: number | bigint };
  if (change) for (let i = 0; i < from.length; i++) to[first + i * stride] = change(Number(from[i]));
  else for (let i = 0; i < from.length; i++) to[first + i * stride] = from[i];
}

/** A slope of 0 or NaN stands for no scaling. */
function scaleOf({ slope, intercept }: NiftiHeader): { slope: number; intercept: number } {
  const isSet = Number.isFinite(slope) && slope !== 0;
  return { slope: isSet ? slope : 1, intercept: isSet && Number.isFinite(intercept) ? intercept : 0 };
}

function isScaled(header: NiftiHeader): boolean {
  const { slope, intercept } = scaleOf(header);
  return header.together !== 3 && header.together !== 4 && (slope !== 1 || intercept !== 0);
}

function geometryOf(header: NiftiHeader): { grid: Grid; notes: readonly string[] } {
  const { sizes, lengthUnit } = header;
  const axes = axesOf(header);
  const three = (numbers: readonly number[]): Triple => [numbers[0], numbers[1], numbers[2]];
  const unit = lengthUnit ? [`Lengths are in ${lengthUnit}.`] : [];
  return {
    grid: {
      kind: "uniform",
      dims: three(sizes),
      origin: three(axes.origin),
      spacing: three(axes.spacing),
    },
    notes: [...axes.notes, ...unit],
  };
}

/** By the affine transform, else by the rotation, else along the axes from 0 on. */
function axesOf(header: NiftiHeader): ImageAxes {
  const { steps, affine, rotation } = header;
  const lengths = steps.slice(0, 3).map((step) => (Number.isFinite(step) && step !== 0 ? Math.abs(step) : 1));
  if (affine) {
    const vectors = [0, 1, 2].map((axis) => affine.map((row) => row[axis]));
    const first = affine.map((row) => row[3]);
    if (vectors.every((vector) => Math.hypot(...vector) > 0)) {
      const placed = placeAxes(vectors, first);
      if (placed) return placed;
      const note =
        "The image's axes are not at right angles in space; it is shown as if they were, starting at 0.";
      return { spacing: vectors.map((vector) => Math.hypot(...vector)), origin: [0, 0, 0], notes: [note] };
    }
  }
  if (rotation) {
    const matrix = matrixOf(rotation.quaternion);
    const signs = [1, 1, header.qfac];
    const vectors = lengths.map((length, axis) => matrix.map((row) => row[axis] * length * signs[axis]));
    const placed = placeAxes(vectors, rotation.offset);
    if (placed) return placed;
  }
  return { spacing: lengths, origin: [0, 0, 0], notes: [] };
}

/** Rows of the rotation of a unit quaternion whose first, non-negative component follows from the others. */
function matrixOf([b, c, d]: readonly number[]): number[][] {
  const a = Math.sqrt(Math.max(0, 1 - (b * b + c * c + d * d)));
  return [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b],
  ];
}
