import { CrinkleError } from "../core/errors.ts";

/** Where in a file something is wrong, as words for a message: “line 12” or “byte 4096”. */
export type Place = string;

/** BadFile: `what` completes “name, place: …”. */
export function badFile(name: string, place: Place, what: string, remedy = ""): CrinkleError {
  return new CrinkleError({ tag: "BadFile", problem: `“${name}”, ${place}: ${what}`, remedy });
}

/** BadFile for a file that holds fewer bytes than its own header asks for. */
export function tooShort(name: string, size: number, need: string): CrinkleError {
  return new CrinkleError({
    tag: "BadFile",
    problem: `“${name}” ends at byte ${size}, but ${need}.`,
    remedy: "The file is truncated, or its header is wrong.",
  });
}

export function unsupported(problem: string, remedy: string): CrinkleError {
  return new CrinkleError({ tag: "UnsupportedFormat", problem, remedy });
}

/** A text safe to show: other than printable characters become “·”. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "·");
}
