import type { Arguments, OptionTable } from "./arguments.ts";

/** Where a command writes: results to `out`, messages for people to `err`, both line by line. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

/** For programs that nobody watches. */
export const noTerminal: Terminal = { out() {}, err() {} };

/** One subcommand. `run` resolves to the object that is printed as JSON, or to undefined if nothing is printed. */
export interface Command<Options extends OptionTable = OptionTable> {
  readonly name: string;
  /** Everything after `crinkle`, as documentation writes it. */
  readonly usage: string;
  /** One sentence. */
  readonly summary: string;
  /** Names of the positional arguments. */
  readonly positionals: readonly string[];
  /** How many of the first ones are required; all where it is left out. */
  readonly required?: number;
  readonly options: Options;
  run(given: Arguments<Options>, terminal: Terminal): Promise<object | undefined>;
}
