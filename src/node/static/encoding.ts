import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

/** The best encoding that an Accept-Encoding header admits; undefined for the bytes as they are. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const accepted = new Set<string>();
  for (const part of (header ?? "").split(",")) {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    if (!isRefused) accepted.add(name);
  }
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Brotli level 6 takes a tenth of the time of level 11, and 5 % more bytes. */
export function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === "br"
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    : zip(bytes, { level: 8 });
}
