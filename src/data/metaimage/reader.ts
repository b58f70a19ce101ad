import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { type Grid, nodeCount, type Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate, bytesOf } from "../bytes/allocate.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { type DeferredArray, deferredArray } from "../bytes/deferred.ts";
import { canInflateTo, inflateGzip, inflateZlib } from "../bytes/inflate.ts";
import { type ByteOrder, toNativeOrder } from "../bytes/order.ts";
import { Yielder } from "../bytes/yielder.ts";
import { companionOf, type FindCompanion } from "../companion.ts";
import { printable, tooShort, unsupported } from "../failure.ts";
import { placeAxes } from "../image-axes.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { readAsciiArray } from "../text/ascii-array.ts";
import { type MetaHeader, readMetaHeader } from "./header.ts";

/** MetaIO's `long` has four bytes on every machine. */
const types: Readonly<Record<string, DType>> = {
  MET_CHAR: "i8",
  MET_ASCII_CHAR: "i8",
  MET_UCHAR: "u8",
  MET_SHORT: "i16",
  MET_USHORT: "u16",
  MET_INT: "i32",
  MET_UINT: "u32",
  MET_LONG: "i32",
  MET_ULONG: "u32",
  MET_LONG_LONG: "i64",
  MET_ULONG_LONG: "u64",
  MET_FLOAT: "f32",
  MET_DOUBLE: "f64",
};

const maxComponents = 16;

/**
 * Opens a MetaImage, .mha or .mhd with the data file that it names: binary of either byte order, zlib, gzip or ASCII; of one to three
 * axes, with components. The field is called “values”.
 */
export async function readMetaImage(
  source: Source,
  job: JobContext,
  options: { readonly companions?: FindCompanion },
): Promise<StoredData> {
  const cursor = new ByteCursor(source, new Yielder(job, `Reading ${source.name}`));
  const header = await readMetaHeader(cursor);
  const kind = header.text("ObjectType") ?? "Image";
  if (kind !== "Image") {
    throw unsupported(
      `“${source.name}” is a MetaIO object of type “${printable(kind)}”.`,
      "Crinkle reads those of type Image.",
    );
  }
  const dtype = types[header.required("ElementType").replace(/_ARRAY$/, "")];
  if (!dtype) {
    throw unsupported(
      `“${source.name}” has values of type “${printable(header.required("ElementType"))}”.`,
      "Crinkle reads integers of 1 to 8 bytes, float and double.",
    );
  }
  const components = header.numbers(1, "ElementNumberOfChannels")?.[0] ?? 1;
  if (!(Number.isInteger(components) && components >= 1 && components <= maxComponents)) {
    throw header.bad(
      "ElementNumberOfChannels",
      `ElementNumberOfChannels is ${components}, where 1 to ${maxComponents} is expected.`,
    );
  }
  const { grid, notes } = geometryOf(header);
  const builder = new DataSetBuilder(source.name, grid);
  for (const note of notes) builder.note(note);
  const data = dataCursor(header, cursor, options.companions);
  builder.add(
    "values",
    "node",
    components,
    await openValues(header, data, dtype, nodeCount(grid) * components),
  );
  return builder.build();
}

function geometryOf(header: MetaHeader): { grid: Grid; notes: readonly string[] } {
  const [axes] = header.numbers(1, "NDims") ?? [0];
  if (!(Number.isInteger(axes) && axes >= 1 && axes <= 10))
    throw header.bad("NDims", `NDims is “${printable(header.required("NDims"))}”, where 1 to 3 is expected.`);
  const sizes = header.numbers(axes, "DimSize");
  if (!sizes) throw header.bad("DimSize", "a MetaImage needs “DimSize = …”.");
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0)) {
    throw header.bad(
      "DimSize",
      `DimSize is “${printable(header.required("DimSize"))}”, where positive whole numbers are expected.`,
    );
  }
  if (sizes.slice(3).some((size) => size > 1)) {
    throw unsupported(
      `“${header.name}” has ${axes} axes of sizes ${sizes.join(", ")}.`,
      "Crinkle reads up to three axes; save one image for each step of the others.",
    );
  }
  const spacings = header.numbers(axes, "ElementSpacing", "ElementSize") ?? sizes.map(() => 1);
  const zero = spacings.indexOf(0);
  if (zero >= 0) throw header.bad("ElementSpacing", `ElementSpacing is 0 along axis ${zero + 1}.`);
  const first = header.numbers(axes, "Offset", "Position", "Origin") ?? sizes.map(() => 0);
  const matrix = header.numbers(axes * axes, "TransformMatrix", "Rotation", "Orientation");
  const count = Math.min(axes, 3);
  const vectors = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (_, k) => spacings[i] * (matrix ? matrix[axes * i + k] : i === k ? 1 : 0)),
  );
  const placed = vectors.every((vector) => Math.hypot(...vector) > 0) ? placeAxes(vectors, first) : undefined;
  if (!placed) {
    throw unsupported(
      `“${header.name}” has axes that are not at right angles: TransformMatrix = ${matrix?.join(" ")}.`,
      "Resample it to an image with axes at right angles.",
    );
  }
  const three = (numbers: readonly number[], rest: number): Triple => [
    numbers[0],
    numbers[1] ?? rest,
    numbers[2] ?? rest,
  ];
  return {
    grid: {
      kind: "uniform",
      dims: three(sizes, 1),
      origin: three(placed.origin, 0),
      spacing: three(placed.spacing, 1),
    },
    notes: placed.notes,
  };
}

/** The start of the values: after the header, or in the file that it names. */
function dataCursor(
  header: MetaHeader,
  cursor: ByteCursor,
  companions: FindCompanion | undefined,
): ByteCursor {
  const name = header.required("ElementDataFile");
  if (/^local$/i.test(name)) return cursor;
  if (/^LIST\b/.test(name) || /%\d*d/.test(name)) {
    throw unsupported(
      `“${header.name}” spreads its values over several files (“${printable(name)}”).`,
      "Join them into one .mha file.",
    );
  }
  return new ByteCursor(companionOf(header.name, name, companions), cursor.yielder);
}

/** Reads values that are compressed or ASCII; others when they are asked for. */
async function openValues(
  header: MetaHeader,
  cursor: ByteCursor,
  dtype: DType,
  count: number,
): Promise<TypedArray | DeferredArray> {
  const order: ByteOrder = header.flag(false, "BinaryDataByteOrderMSB", "ElementByteOrderMSB")
    ? "big"
    : "little";
  const skipped = header.numbers(1, "HeaderSize")?.[0] ?? 0;
  if (!Number.isSafeInteger(skipped) || skipped < -1)
    throw header.bad("HeaderSize", `HeaderSize is ${skipped}, where a number of bytes or −1 is expected.`);
  if (!header.flag(true, "BinaryData")) {
    cursor.seek(cursor.position + Math.max(skipped, 0));
    return readAsciiArray(cursor, dtype, count, "the field");
  }
  const bytes = count * bytesPerElement(dtype);
  if (header.flag(false, "CompressedData")) {
    cursor.seek(cursor.position + Math.max(skipped, 0));
    const compressed = header.numbers(1, "CompressedDataSize")?.[0] ?? cursor.atMost;
    return readCompressed(header, cursor, { dtype, count, order, compressed });
  }
  cursor.seek(skipped < 0 ? Math.max(cursor.end - bytes, cursor.position) : cursor.position + skipped);
  return deferredArray(cursor, dtype, count, order, "the field");
}

interface Compressed {
  readonly dtype: DType;
  readonly count: number;
  readonly order: ByteOrder;
  readonly compressed: number;
}

async function readCompressed(
  header: MetaHeader,
  cursor: ByteCursor,
  { dtype, count, order, compressed }: Compressed,
): Promise<TypedArray> {
  const { source, yielder } = cursor;
  if (!Number.isSafeInteger(compressed) || compressed < 0)
    throw header.bad("CompressedDataSize", `CompressedDataSize is ${compressed}.`);
  cursor.requireBytes(compressed, "the field");
  const bytes = count * bytesPerElement(dtype);
  if (!canInflateTo(compressed, bytes)) {
    throw tooShort(
      cursor,
      `the field of ${formatCount(bytes)} bytes cannot be compressed into ${formatCount(compressed)}`,
    );
  }
  await cursor.ensure(2);
  const isGzip = cursor.window[cursor.at] === 0x1f && cursor.window[cursor.at + 1] === 0x8b;
  const array = allocate(dtype, count, "the field");
  const inflate = isGzip ? inflateGzip : inflateZlib;
  await inflate(cursor, compressed, bytesOf(array), "the field", source.name, yielder);
  await toNativeOrder(array, order, yielder);
  return array;
}
