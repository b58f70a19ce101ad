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
  /** Names of the positional arguments, all required. */
  readonly positionals: readonly string[];
  readonly options: Options;
  run(given: Arguments<Options>, terminal: Terminal): Promise<object | undefined>;
}
