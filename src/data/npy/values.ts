import type { TypedArray } from "../../core/dtype.ts";
import type { JobContext } from "../../core/job.ts";
import { allocate } from "../bytes/allocate.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { type DeferredArray, deferredArray } from "../bytes/deferred.ts";
import { Yielder } from "../bytes/yielder.ts";
import { unsupported } from "../failure.ts";
import type { Source } from "../source.ts";
import { elementTypeOf, type FieldLayout } from "./layout.ts";
import type { NpyHeader } from "./read-npy.ts";

/** The values of a field, component by component of each point; those of halves, and of planes, are read at once. */
export async function valuesOf(
  source: Source,
  header: NpyHeader,
  { components, isPlanar, dims }: FieldLayout,
  job: JobContext,
): Promise<{ readonly components: number; readonly values: TypedArray | DeferredArray }> {
  const { dtype, isHalf, numbers, isBigEndian } = elementTypeOf(source.name, header.description);
  if (numbers === 2 && components > 1) {
    throw unsupported(
      `“${source.name}” has ${components} components of complex numbers.`,
      "Save one of them, or their real and imaginary parts.",
    );
  }
  const points = dims[0] * dims[1] * dims[2];
  const count = points * components * numbers;
  const yielder = new Yielder(job, `Reading ${source.name}`);
  const cursor = new ByteCursor(source, yielder, header.start, source.size, 0);
  const stored = deferredArray(cursor, dtype, count, isBigEndian ? "big" : "little", "the array");
  if (!isHalf && !isPlanar) return { components: components * numbers, values: stored };
  const read = await stored.read(0, count, job);
  const numbersRead = isHalf ? fromHalves(read as Uint16Array) : read;
  return { components, values: isPlanar ? interleaved(numbersRead, points, components) : numbersRead };
}

/** IEEE 754 halves as f32, which hold them exactly. */
function fromHalves(halves: Uint16Array): Float32Array {
  const values = allocate("f32", halves.length, "the array") as Float32Array;
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i];
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    if (exponent === 31) values[i] = fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    else if (exponent === 0) values[i] = sign * fraction * 2 ** -24;
    else values[i] = sign * (1024 + fraction) * 2 ** (exponent - 25);
  }
  return values;
}

function interleaved(planes: TypedArray, points: number, components: number): TypedArray {
  const kind = planes.constructor as new (length: number) => TypedArray;
  const values = new kind(planes.length);
  const from = planes as ArrayLike<number | bigint>;
  const to = values as { [index: number]: number | bigint };
  for (let component = 0; component < components; component++) {
    for (let i = 0; i < points; i++) to[i * components + component] = from[component * points + i];
  }
  return values;
}
