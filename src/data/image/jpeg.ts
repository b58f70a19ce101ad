import { decode } from "jpeg-js";
import { badFile } from "../failure.ts";
import type { Source } from "../source.ts";
import { decoded, type Picture } from "./picture.ts";

/** The decoder takes so many bytes at most. */
const maxMegabytes = 4096;
const maxMegapixels = 400;

/** Decodes a JPEG picture: red, green and blue, or grey. Throws BadFile. */
export async function decodeJpeg(source: Source): Promise<readonly Picture[]> {
  const bytes = await source.read(0, source.size);
  const components = componentsOf(bytes);
  if (components === undefined) throw badFile(source.name, "its header", "it states no size of a picture.");
  const { width, height, data } = decoded(source, "pixels", () =>
    decode(bytes, {
      useTArray: true,
      formatAsRGBA: false,
      tolerantDecoding: false,
      maxResolutionInMP: maxMegapixels,
      maxMemoryUsageInMB: maxMegabytes,
    }),
  );
  if (components > 1) return [{ width, height, channels: 3, values: Uint8Array.from(data) }];
  const values = new Uint8Array(width * height);
  for (let i = 0; i < values.length; i++) values[i] = data[3 * i];
  return [{ width, height, channels: 1, values }];
}

/** The number of components that the frame's header states (marker SOF). */
function componentsOf(bytes: Uint8Array): number | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return bytes[at + 9];
    at += 2 + ((bytes[at + 2] << 8) | bytes[at + 3]);
  }
  return undefined;
}
