import { dtypeOf } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate } from "../bytes/allocate.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { type Picture, placeRows } from "./picture.ts";

export const readPng = async (source: Source): Promise<StoredData> =>
  stackOf(source, await (await import("./png.ts")).decodePng(source));

export const readJpeg = async (source: Source): Promise<StoredData> =>
  stackOf(source, await (await import("./jpeg.ts")).decodeJpeg(source));

/** Opens a TIFF file; its pages of one size and type lie one above the other along z. */
export const readTiff = async (source: Source, job: JobContext): Promise<StoredData> =>
  stackOf(source, await (await import("./tiff.ts")).decodeTiff(source, job));

/** A field of pixels, 1 apart, the lowest row first; called “colors” where they have several channels, else “values”. */
function stackOf({ name }: Source, pictures: readonly Picture[]): StoredData {
  const [first] = pictures;
  const { width, height, channels, values } = first;
  const isLike = (other: Picture) =>
    other.width === width &&
    other.height === height &&
    other.channels === channels &&
    dtypeOf(other.values) === dtypeOf(values);
  const stacked = pictures.filter(isLike);
  const builder = new DataSetBuilder(name, {
    kind: "uniform",
    dims: [width, height, stacked.length],
    origin: [0, 0, 0],
    spacing: [1, 1, 1],
  });
  const layers = allocate(dtypeOf(values), values.length * stacked.length, "the picture");
  for (const [layer, picture] of stacked.entries()) placeRows(picture, layers, layer);
  builder.add(channels > 1 ? "colors" : "values", "node", channels, layers);
  builder.note("Pixels are points 1 apart, with the picture's lowest row first.");
  const others = pictures.length - stacked.length;
  if (others > 0) {
    const pages = others === 1 ? "A page" : `${formatCount(others)} pages`;
    builder.note(
      `${pages} of another size or type than the first ${others === 1 ? "was" : "were"} left out.`,
    );
  }
  return builder.build();
}
