import { parseNumber, writeNumber } from "../controls/numbers.ts";

const mebibyte = 2 ** 20;

/** What a field for a limit of memory says. */
export type MemoryLimit =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "unreadable" };

/** A number of MiB above 0, or nothing for no limit. */
export function readLimit(text: string): MemoryLimit {
  if (text.trim() === "") return { kind: "none" };
  const mebibytes = parseNumber(text);
  return mebibytes !== undefined && mebibytes > 0
    ? { kind: "bytes", bytes: mebibytes * mebibyte }
    : { kind: "unreadable" };
}

export const writeLimit = (bytes: number | undefined): string =>
  bytes === undefined ? "" : writeNumber(bytes / mebibyte);
