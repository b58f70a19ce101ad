/** Bytes from `from` to `to`, the latter excluded. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * One range of a Range header (RFC 9110 § 14.2) in a file of `size` bytes: undefined where the header is absent,
 * malformed or asks for several ranges (the whole file is then the answer), "unsatisfiable" beyond the end.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size };
  }
  const from = Number(match[1]);
  const last = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (from >= size) return "unsatisfiable";
  return from > last ? undefined : { from, to: last + 1 };
}
