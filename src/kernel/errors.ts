import { CrinkleError, type Span } from "../core/errors.ts";

/** What is wrong with a kernel, at a place of its text where it has one. */
export function kernelError(problem: string, remedy: string, span?: Span): CrinkleError {
  return new CrinkleError({ tag: "KernelError", problem, remedy, span });
}

/** “one argument”, “3 arguments”. */
export const counted = (count: number, noun: string): string =>
  count === 1 ? `one ${noun}` : `${count === 0 ? "no" : count} ${noun}s`;
