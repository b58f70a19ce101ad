import { CrinkleError } from "../core/errors.ts";
import type { DataSet } from "../core/field.ts";
import type { JobContext } from "../core/job.ts";
import { isPointSet, type PointSet } from "../core/point-set.ts";
import type { FindCompanion } from "./companion.ts";
import { unsupported } from "./failure.ts";
import type { RawOptions } from "./raw/describe.ts";
import {
  extensionOf,
  type Format,
  formatOfExtension,
  isGzip,
  recognize,
  recognizedFrom,
} from "./recognize.ts";
import type { Source } from "./source.ts";
import { type StoredData, wholeOf } from "./stored.ts";

/**
 * A reader of one format. Resolves to what the file holds, or rejects with a CrinkleError and nothing else. Values that lie in
 * the file as they are in memory, but for the order of bytes, are read when they are asked for; others at once.
 */
export type Reader = (
  source: Source,
  job: JobContext,
  options: ReadOptions,
) => Promise<StoredData | PointSet>;

export interface ReadOptions {
  /** Describes a file of raw numbers; if given, the file is read as such whatever it looks like. */
  readonly raw?: RawOptions;
  /** Finds a file that the one being read refers to by name, as .nhdr and .mhd do. */
  readonly companions?: FindCompanion;
}

/** Reads a file as `readData` does, but refuses points without a grid with UnsupportedFormat. */
export async function readDataSet(
  source: Source,
  job: JobContext,
  options: ReadOptions = {},
): Promise<DataSet> {
  return requireGrid(await readData(source, job, options));
}

/** Throws UnsupportedFormat where the data are points. */
export function requireGrid<Grid extends DataSet | StoredData>(data: Grid | PointSet): Grid {
  if (!isPointSet(data)) return data;
  throw unsupported(
    `“${data.name}” holds points without a grid, which has no fields.`,
    "Open the grid that they were made from, or look at them in the page.",
  );
}

/**
 * Reads a file of any format that Crinkle knows; the content determines the format, and the extension only if the
 * content does not. A file within gzip is unpacked. Rejects with UnsupportedFormat, BadFile, TooLarge, OutOfMemory or Cancelled.
 */
export async function readData(
  source: Source,
  job: JobContext,
  options: ReadOptions = {},
): Promise<DataSet | PointSet> {
  const data = await openData(source, job, options);
  return isPointSet(data) ? data : wholeOf(data, job);
}

/** Opens a file as `readData` does, but leaves values that can be read by planes until they are asked for. */
export async function openData(
  source: Source,
  job: JobContext,
  options: ReadOptions = {},
): Promise<StoredData | PointSet> {
  if (source.size === 0) {
    throw new CrinkleError({
      tag: "BadFile",
      problem: `“${source.name}” is empty (0 bytes).`,
      remedy: "It may still be downloading, or its copy may have failed.",
    });
  }
  const head = await source.read(0, Math.min(source.size, recognizedFrom));
  if (!options.raw && isGzip(head)) return openPacked(source, job, options);
  const read = await readerOf(options.raw ? "raw" : recognize(source.name, head));
  return read(source, job, options);
}

async function openPacked(
  source: Source,
  job: JobContext,
  options: ReadOptions,
): Promise<StoredData | PointSet> {
  const { gunzip } = await import("./gunzip.ts");
  const unpacked = await gunzip(source, job);
  if (formatOfExtension(extensionOf(unpacked.name)) !== "raw") return openData(unpacked, job, options);
  throw unsupported(`“${source.name}” holds raw numbers within gzip.`, "Unpack it first.");
}

async function readerOf(format: Format): Promise<Reader> {
  switch (format) {
    case "legacy-vtk":
      return (await import("./legacy/reader.ts")).readLegacyVtk;
    case "xml-vtk":
      return (await import("./xml/reader.ts")).readXmlVtk;
    case "nrrd":
      return (await import("./nrrd/reader.ts")).readNrrd;
    case "metaimage":
      return (await import("./metaimage/reader.ts")).readMetaImage;
    case "nifti":
      return (await import("./nifti/reader.ts")).readNifti;
    case "npy":
      return (await import("./npy/reader.ts")).readNpyField;
    case "npz":
      return (await import("./npy/npz.ts")).readNpz;
    case "png":
      return (await import("./image/reader.ts")).readPng;
    case "jpeg":
      return (await import("./image/reader.ts")).readJpeg;
    case "tiff":
      return (await import("./image/reader.ts")).readTiff;
    case "csv":
      return (await import("./csv/reader.ts")).readCsv;
    case "ply":
      return (await import("./ply/reader.ts")).readPly;
    case "raw":
      return readDescribed;
  }
}

async function readDescribed(source: Source, job: JobContext, { raw }: ReadOptions): Promise<StoredData> {
  if (!raw) {
    const { howToDescribe } = await import("./raw/describe.ts");
    throw unsupported(
      `“${source.name}” holds bare numbers without a description.`,
      howToDescribe(source.name, source.size),
    );
  }
  return (await import("./raw/reader.ts")).readRaw(source, job, raw);
}
