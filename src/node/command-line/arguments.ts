import { parseArgs } from "node:util";
import { CrinkleError } from "../../core/errors.ts";
import { nearestName } from "../../core/names.ts";

export interface Option {
  readonly type: "string" | "boolean";
  /** Completes "--name …" in the help: its meaning, and the default. */
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

export interface Arguments<Options extends OptionTable> {
  readonly positionals: readonly string[];
  readonly options: {
    readonly [Name in keyof Options]?: Options[Name]["type"] extends "boolean" ? boolean : string;
  };
}

/** A wrong use of a command. */
export const usage = (problem: string, remedy = ""): CrinkleError =>
  new CrinkleError({ tag: "Usage", problem, remedy });

/** An option that must be given; `what` names it, or those of which one must be. Throws Usage. */
export function required(name: string, given: string | undefined, what = `--${name}`): string {
  if (given === undefined) throw usage(`The option ${what} is missing.`);
  return given;
}

/**
 * Reads a subcommand's arguments. An option takes the next argument, whatever it begins with, so that
 * `--value -0.5` is a number, and an argument like `-v[0]` is an expression. Throws Usage.
 */
export function readArguments<Options extends OptionTable>(
  args: readonly string[],
  positionalNames: readonly string[],
  table: Options,
  required = positionalNames.length,
): Arguments<Options> {
  const flags: string[] = [];
  const positionals: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at];
    if (argument === "--") {
      positionals.push(...args.slice(at + 1));
      break;
    }
    if (!argument.startsWith("--")) {
      positionals.push(argument);
      continue;
    }
    const [name] = argument.slice(2).split("=");
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!option) throw unknownOption(name, table);
    const isComplete = option.type === "boolean" || argument.includes("=");
    if (isComplete) flags.push(argument);
    else if (at + 1 < args.length) flags.push(`${argument}=${args[++at]}`);
    else throw usage(`The option --${name} needs a value.`);
  }
  checkCount(positionals, positionalNames, required);
  const { values } = parseStrictly(flags, table);
  return { positionals, options: values as Arguments<Options>["options"] };
}

function parseStrictly(flags: readonly string[], table: OptionTable) {
  try {
    const options = Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, { type }]));
    return parseArgs({ args: [...flags], options, strict: true });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function unknownOption(name: string, table: OptionTable): CrinkleError {
  const close = nearestName(name, Object.keys(table));
  return usage(`There is no option --${name}.`, close ? `Did you mean --${close}?` : "");
}

function checkCount(got: readonly string[], names: readonly string[], required: number): void {
  if (got.length < required) throw usage(`The argument ${names[got.length]} is missing.`);
  if (got.length > names.length) {
    const hint = "An expression with spaces needs quotes.";
    throw usage(`The argument “${got[names.length]}” is one too many.`, hint);
  }
}

/** A finite number given for an option. Throws Usage. */
export function numberOption(name: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw usage(`The option --${name} is “${text}”, which is not a number.`);
  return value;
}

/** `count` finite numbers, separated by commas. Throws Usage. */
export function numbersOption(name: string, text: string, count: number): readonly number[] {
  const parts = text.split(",");
  if (parts.length !== count)
    throw usage(`The option --${name} is “${text}”, which is not ${count} numbers separated by commas.`);
  return parts.map((part) => numberOption(name, part));
}

/** X,Y,Z, or several, separated by semicolons. Throws Usage. */
export function positionsOption(name: string, text: string): Float64Array {
  const positions = text
    .split(";")
    .filter((part) => part.trim() !== "")
    .map((part) => numbersOption(name, part, 3));
  if (positions.length === 0)
    throw usage(`The option --${name} is “${text}”.`, "Write positions as X,Y,Z or X,Y,Z; X,Y,Z.");
  return Float64Array.from(positions.flat());
}

const units: Readonly<Record<string, number>> = { "": 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** A number of bytes given for an option: 1000, 512MiB, 1.5GiB. Throws Usage. */
export function bytesOption(name: string, text: string): number {
  const [, number, unit] = /^\s*([\d.]+)\s*([A-Za-z]*)\s*$/.exec(text) ?? [];
  const bytes = Number(number) * (units[unit] ?? Number.NaN);
  if (!(bytes >= 1)) {
    throw usage(
      `The option --${name} is “${text}”, which is not a number of bytes.`,
      "Write it as 512MiB, for example.",
    );
  }
  return Math.floor(bytes);
}

/** One of several words given for an option. Throws Usage. */
export function choiceOption<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw usage(`The option --${name} is “${text}”.`, `It can be ${choices.join(", ")}.`);
  }
  return choice;
}
