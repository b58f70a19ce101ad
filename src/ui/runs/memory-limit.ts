import { parseNumber, writeNumber } from "../controls/numbers.ts";

const mebibyte = 2 ** 20;

/** The content of a memory limit's input. */
export type MemoryLimit =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "unreadable" };

/** Reads a number of MiB above 0, or an empty text for no limit. */
export function readLimit(text: string): MemoryLimit {
  if (text.trim() === "") return { kind: "none" };
  const mebibytes = parseNumber(text);
  return mebibytes !== undefined && mebibytes > 0
    ? { kind: "bytes", bytes: mebibytes * mebibyte }
    : { kind: "unreadable" };
}

export const writeLimit = (bytes: number | undefined): string =>
  bytes === undefined ? "" : writeNumber(bytes / mebibyte);
