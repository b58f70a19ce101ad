import type { CrinkleError, Span } from "../../../core/errors.ts";
import { located } from "./located.ts";
import type { Token } from "./tokens.ts";

/**
 * How deep expressions may nest: far more than anyone writes, far less than the stack holds. The generated parser gives
 * up only beyond it.
 */
export const maxDepth = 500;

export function tooDeep(span: Span): CrinkleError {
  return located(
    "SyntaxError",
    span,
    `This expression nests more than ${maxDepth} levels deep, where each operator in a row is a level`,
    "Give parts of it names in statements of their own.",
  );
}

/** At most so many levels are open before token `end`: brackets that are not closed, and the operators among them. */
export function maxOpenLevels(tokens: readonly Token[], first: number, end: number): number {
  const levels = [0];
  for (const { kind, text } of tokens.slice(first, end)) {
    if (kind === "open") levels.push(1);
    else if (kind === "close" && levels.length > 1) levels.pop();
    else if (kind === "separator") levels.splice(0, levels.length, 0);
    else if (kind === "operator" || (kind === "keyword" && text !== "then" && text !== "else")) {
      levels[levels.length - 1]++;
    }
  }
  return levels.reduce((sum, level) => sum + level, 0);
}
