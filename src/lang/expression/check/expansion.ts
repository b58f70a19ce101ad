import type { Span } from "../../../core/errors.ts";
import { located } from "../syntax/located.ts";

/** How deep expressions may nest through the bodies of functions: far less than the stack allows. */
const maxExpandedDepth = 700;

/** Number of parts to which the calls of one text may expand if written out. */
const maxExpandedParts = 100_000;

/** Keeps calls of functions from growing beyond what the stack and the network can hold. */
export class Expansion {
  #depth = 0;
  #calls = 0;
  #parts = 0;

  /** Call this at the start of a statement. */
  reset(): void {
    this.#depth = 0;
    this.#calls = 0;
  }

  /** Call this before each part of an expression. Throws TooLarge. */
  enter(span: Span): void {
    this.#depth++;
    if (this.#calls === 0) return;
    if (this.#depth > maxExpandedDepth) {
      throw located(
        "TooLarge",
        span,
        `The functions that call each other nest more than ${maxExpandedDepth} levels deep`,
        "Give parts of them names in statements of their own.",
      );
    }
    if (++this.#parts > maxExpandedParts) {
      throw located(
        "TooLarge",
        span,
        `Written out, the calls of this text's functions have more than ${maxExpandedParts} parts`,
        "Give values that are used often names in statements of their own.",
      );
    }
  }

  leave(): void {
    this.#depth--;
  }

  /** Runs `action` in a function's body. */
  inside<T>(action: () => T): T {
    this.#calls++;
    const result = action();
    this.#calls--;
    return result;
  }
}
