import { decode, type TiffIfd } from "tiff";
import type { TypedArray } from "../../core/dtype.ts";
import type { JobContext } from "../../core/job.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile, unsupported } from "../failure.ts";
import type { Source } from "../source.ts";
import { checkPixels, decoded, type Picture } from "./picture.ts";

const paletteColors = 3;
const signedIntegers = 2;

/** Decodes all pages of a TIFF file. Throws BadFile, UnsupportedFormat, Cancelled. */
export async function decodeTiff(source: Source, job: JobContext): Promise<readonly Picture[]> {
  const bytes = await source.read(0, source.size);
  const yielder = new Yielder(job, `Reading ${source.name}`);
  const count = countPages(source.name, new DataView(bytes.buffer));
  const pictures: Picture[] = [];
  for (let page = 0; page < count; page++) {
    const of = (ignoreImageData: boolean) =>
      decoded(source, `page ${page + 1}`, () => decode(bytes, { pages: [page], ignoreImageData })[0]);
    const { width, height, samplesPerPixel, bitsPerSample, compression } = of(true);
    if (![1, 5, 8, 32946].includes(compression)) {
      throw unsupported(
        `“${source.name}” is a TIFF image with compression ${compression}.`,
        "Save it uncompressed, or with LZW or deflate.",
      );
    }
    checkPixels(source, width, height, (samplesPerPixel * bitsPerSample) / 8);
    pictures.push(pictureOf(of(false)));
    if (yielder.isDue()) await yielder.yield(page / count);
  }
  return pictures;
}

function pictureOf(page: TiffIfd): Picture {
  const { width, height, samplesPerPixel, palette } = page;
  if (page.type === paletteColors && palette) {
    const values = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
      return (palette[page.data[Math.floor(i / 3)]]?.[i % 3] ?? 0) >> 8;
    });
    return { width, height, channels: 3, values };
  }
  return { width, height, channels: samplesPerPixel, values: signed(page) };
}

/** The decoder has integers without their sign. */
function signed({ data, sampleFormat }: TiffIfd): TypedArray {
  if (sampleFormat !== signedIntegers) return data;
  if (data instanceof Uint8Array) return new Int8Array(data.buffer, data.byteOffset, data.length);
  if (data instanceof Uint16Array) return new Int16Array(data.buffer, data.byteOffset, data.length);
  return data;
}

/** Directories of pages, each of which states where the next one lies. */
function countPages(name: string, view: DataView): number {
  const broken = (at: number) =>
    badFile(
      name,
      `byte ${at}`,
      "a directory of a page lies beyond the file, or in a circle.",
      "It is damaged.",
    );
  if (view.byteLength < 8) throw broken(view.byteLength);
  const little = view.getUint16(0) === 0x4949;
  const seen = new Set<number>();
  for (let at = view.getUint32(4, little); at !== 0; ) {
    if (seen.has(at) || at + 6 > view.byteLength) throw broken(at);
    seen.add(at);
    const end = at + 2 + 12 * view.getUint16(at, little);
    if (end + 4 > view.byteLength) throw broken(at);
    at = view.getUint32(end, little);
  }
  if (seen.size === 0) throw broken(4);
  return seen.size;
}
