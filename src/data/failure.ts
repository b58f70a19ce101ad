import { CrinkleError } from "../core/errors.ts";
import { formatCount } from "../core/format.ts";

/** A position in a file as words for a message: “line 12” or “byte 4096”. */
export type FilePosition = string;

/** BadFile: `what` completes “name, place: …”. */
export function badFile(name: string, place: FilePosition, what: string, remedy = ""): CrinkleError {
  return new CrinkleError({ tag: "BadFile", problem: `“${name}”, ${place}: ${what}`, remedy });
}

/** The part of a file that something is read from, up to byte `end`. */
export interface ByteRange {
  readonly source: { readonly name: string; readonly size: number };
  readonly end: number;
}

/** BadFile if there are fewer bytes than the header requires. `need` completes “the file ends at …, but …”. */
export function tooShort({ source: { name, size }, end }: ByteRange, need: string): CrinkleError {
  return new CrinkleError({
    tag: "BadFile",
    problem:
      end === size
        ? `“${name}” ends at byte ${formatCount(end)}, but ${need}.`
        : `“${name}”, byte ${formatCount(end)}: the data end here, but ${need}.`,
    remedy: "The file is truncated, or its header is wrong.",
  });
}

export function unsupported(problem: string, remedy: string): CrinkleError {
  return new CrinkleError({ tag: "UnsupportedFormat", problem, remedy });
}

/** A text that is safe to show: unprintable characters become “·”. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "·");
}
