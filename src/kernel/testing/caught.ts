import { expect } from "vitest";
import { CrinkleError } from "../../core/errors.ts";

/** The KernelError that the call throws; fails where it throws none. */
export function kernelErrorOf(call: () => unknown): CrinkleError {
  try {
    call();
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    expect(error.tag).toBe("KernelError");
    return error;
  }
  throw new Error("Expected an error.");
}
