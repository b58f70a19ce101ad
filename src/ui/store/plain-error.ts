import { CrinkleError, type PlainError } from "../../core/errors.ts";

/**
 * An engine's rejection as a problem and a remedy: plain parts that crossed the worker's boundary, an error of this
 * thread, or anything else that was thrown.
 */
export function toPlainError(error: unknown): PlainError {
  if (error instanceof CrinkleError) return error.toPlain();
  const parts = plainParts(error) ?? (error instanceof Error ? plainParts(error.cause) : undefined);
  if (parts) return parts;
  const problem = error instanceof Error ? error.message : String(error);
  if (ofMissingCode.test(problem)) return notLoaded("A part of the program");
  return {
    tag: "Internal",
    problem: problem || "Something failed without saying why.",
    remedy: "",
  };
}

/** The messages of browsers, and of the loader of style sheets, for code that could not be loaded. */
const ofMissingCode = /dynamically imported module|importing a module script|preload CSS/i;

/** The error for code that is loaded on demand, and could not be. */
export function notLoaded(name: string): PlainError {
  return {
    tag: "Unreachable",
    problem: `${name} could not be loaded.`,
    remedy:
      "Check the connection and try again. If the server has been updated since, reload the page; the view is kept.",
  };
}

function plainParts(value: unknown): PlainError | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { tag, problem, remedy, span } = value as Partial<PlainError>;
  if (typeof tag !== "string" || typeof problem !== "string") return undefined;
  return { tag, problem, remedy: remedy ?? "", ...(span ? { span } : {}) };
}
