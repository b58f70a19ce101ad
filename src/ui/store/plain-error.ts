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

/** What browsers, and the loader of style sheets, say of code that did not come. */
const ofMissingCode = /dynamically imported module|importing a module script|preload CSS/i;

/** Of code that comes when it is needed, and did not. */
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
