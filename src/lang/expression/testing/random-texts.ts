import { randomNumbers } from "../execute/testing/data-sets.ts";

const names = [
  "u",
  "v",
  "velocity",
  "J",
  "stress",
  "p",
  '"X Velocity"',
  "<X Velocity>",
  "mesh",
  "x",
  "y",
  "coords",
  "dims",
  "nothing",
];
const functions = [
  "sin",
  "dot",
  "curl",
  "gradient",
  "magnitude",
  "max",
  "if",
  "q_criterion",
  "recenter",
  "avg",
  "quantile",
  "histogram",
  "max_position",
  "volume",
  "f",
  "g",
];
const infix = [..."+-*/%^<>&", "**", "<=", ">=", "==", "!=", "and", "or", "&&", "||"];
const blanks = [" ", " ", " ", "", "\t", "\n  ", " # why\n", "\r\n "];
const pieces = [
  ...infix,
  ..."()[]{},;=.!\\\"'#@²é😀",
  ...[
    "\n",
    "\r\n",
    "if",
    "then",
    "else",
    "not",
    "def",
    "def f(",
    "1e",
    "2.5e3",
    "\u0000",
    "\u2028",
    "constructor",
  ],
  ...names,
  ...functions,
];

/**
 * Random texts, the same for each seed: some that compile, some as the grammar has them, some of those with a few pieces lost, repeated,
 * exchanged or added, and some of pieces alone.
 */
export function randomTexts(seed: number): () => string {
  const random = randomNumbers(seed);
  const writer = new Writer(random);
  return () => {
    const kind = random();
    if (kind < 0.25) return writer.soundProgram();
    if (kind < 0.5) return writer.program();
    if (kind < 0.85) return writer.damaged(writer.program());
    return writer.heap();
  };
}

class Writer {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  program(): string {
    const statements = Array.from({ length: 1 + this.#below(5) }, () => this.#statement());
    return statements.join(this.#pick(["\n", "; ", ";\n", "\n\n", " # note\n"]));
  }

  /** Statements and functions of scalars, which compile. */
  soundProgram(): string {
    const functions: [name: string, arity: number][] = [
      ["sin", 1],
      ["median", 1],
      ["max", 2],
      ["if", 3],
    ];
    const values = ["u", "v", "p", "x", "velocity[1]", "2", "0.5"];
    const lines = Array.from({ length: 1 + this.#below(5) }, (_, i) => {
      if (this.#random() < 0.6) {
        const line = `s${i} = ${this.#sound(1 + this.#below(3), values, functions)}`;
        values.push(`s${i}`);
        return line;
      }
      const parameters = ["a", "u", '"b c"'].slice(0, this.#below(4));
      const body = this.#sound(1 + this.#below(3), [...values, ...parameters], functions);
      functions.push([`f${i}`, parameters.length]);
      return `def f${i}(${parameters.join(", ")}) = ${body}`;
    });
    return [...lines, this.#sound(2, values, functions)].join("\n");
  }

  #sound(
    depth: number,
    values: readonly string[],
    functions: readonly (readonly [name: string, arity: number])[],
  ): string {
    const part = () => this.#sound(depth - 1, values, functions);
    if (depth === 0) return this.#pick(values);
    switch (this.#below(5)) {
      case 0: {
        const [name, arity] = this.#pick(functions);
        return `${name}(${this.#list(arity, part)})`;
      }
      case 1:
        return `(if ${part()} then ${part()} else ${part()})`;
      case 2:
        return `{${part()}, ${part()}, 1}[${this.#below(3)}]`;
      case 3:
        return `gradient(${part()})[${this.#below(3)}]`;
      default:
        return `(${part()} ${this.#pick(infix)} ${part()})`;
    }
  }

  /** The text after one to four accidents. */
  damaged(text: string): string {
    let damaged = text;
    for (let accidents = 1 + this.#below(4); accidents > 0; accidents--) {
      const at = this.#below(damaged.length + 1);
      const end = Math.min(damaged.length, at + this.#below(6));
      const middle = this.#pick([
        "",
        damaged.slice(at, end).repeat(2),
        this.#pick(pieces),
        this.#pick(pieces),
      ]);
      damaged = damaged.slice(0, at) + middle + damaged.slice(end);
    }
    return damaged;
  }

  heap(): string {
    return Array.from({ length: this.#below(25) }, () => this.#pick(pieces) + this.#pick(blanks)).join("");
  }

  #statement(): string {
    const kind = this.#random();
    const value = this.#expression(1 + this.#below(3));
    if (kind < 0.15) return value;
    if (kind < 0.4) {
      const parameters = ["a", "u", '"X Velocity"', "x"].slice(0, this.#below(4));
      return `def ${this.#pick(["f", "g", "h", "sin"])}(${parameters.join(", ")}) = ${value}`;
    }
    return `${this.#pick(["a", "b", "u", '"X Velocity"', "q"])} = ${value}`;
  }

  #expression(depth: number): string {
    const part = () => this.#expression(depth - 1);
    const blank = this.#pick(blanks);
    if (depth === 0 || this.#random() < 0.15) return this.#leaf();
    switch (this.#below(9)) {
      case 0:
        return `(${part()}${blank})`;
      case 1:
        return `${this.#pick(["-", "not ", "!", "- "])}${part()}`;
      case 2:
        return `if ${part()}${blank} then ${part()} else ${part()}`;
      case 3:
        return `{${this.#list(1 + this.#below(4), part)}}`;
      case 4:
        return `${part()}[${this.#pick(["0", "1", "2", "7", "1 - 1", part()])}]`;
      case 5:
      case 6:
        return `${this.#pick(functions)}(${this.#list(this.#below(4), part)})`;
      default:
        return `${part()} ${this.#pick(infix)}${blank} ${part()}`;
    }
  }

  #leaf(): string {
    if (this.#random() < 0.6) return this.#pick(["u", "v", "velocity", "p", "a", "b", "x"]);
    return this.#pick([...names, "1", "2", ".5", "1e-3", "0", "7."]);
  }

  #list(count: number, part: () => string): string {
    return Array.from({ length: count }, part).join(`,${this.#pick(blanks)}`);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)];
  }
}
