import { parseArgs } from "node:util";
import type { BenchOptions } from "../src/bench/case.ts";
import { describeError } from "../src/core/errors.ts";

export interface CommandLine extends BenchOptions {
  readonly isJson: boolean;
  /** Without bounds checks in shaders and validation. */
  readonly isUnsafe: boolean;
}

/** Throws an Error with the fault and the usage where the arguments are not understood. */
export function readOptions(args: readonly string[]): CommandLine {
  try {
    return parse(args);
  } catch (error) {
    throw new Error(`${describeError(error)}\nUsage: bench [filter] [--json] [--n N] [--quick] [--unsafe]`);
  }
}

function parse(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      quick: { type: "boolean" },
      unsafe: { type: "boolean" },
      n: { type: "string" },
    },
  });
  if (positionals.length > 1) throw new Error(`One filter is enough: got ${positionals.join(" ")}.`);
  const n = values.n === undefined ? undefined : Number(values.n);
  if (n !== undefined && !(Number.isInteger(n) && n > 0)) {
    throw new Error(`--n is ${values.n}; it must be a positive whole number.`);
  }
  const [filter = ""] = positionals;
  try {
    new RegExp(filter);
  } catch {
    throw new Error(`The filter ${filter} is not a regular expression.`);
  }
  const { json: isJson = false, quick: isQuick = false, unsafe: isUnsafe = false } = values;
  return { filter, isJson, isQuick, isUnsafe, n };
}

/** What Dawn calls the checks that `--unsafe` leaves out. */
export const uncheckedFeatures = "disable_robustness,skip_validation";
