/** Pieces of JavaScript: an expression, parenthesized where it is more than a name, a number or a call. */
export type Code = string;

/** Lines of one function or loop body, and names that are used nowhere else in the module. */
export class CodeWriter {
  lines: string[] = [];
  readonly #counts = new Map<string, number>();

  /** A name that nothing else has. */
  name(wish: string): string {
    const base = wish.replace(/[^A-Za-z0-9_]/g, "_") || "value";
    const count = (this.#counts.get(base) ?? 0) + 1;
    this.#counts.set(base, count);
    return `${base}_${count}`;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** The lines that `write` adds, which are not added here. */
  capture(write: () => void): string[] {
    const before = this.lines;
    this.lines = [];
    write();
    const captured = this.lines;
    this.lines = before;
    return captured;
  }

  block(head: string, inner: readonly string[]): void {
    this.line(`${head} {`);
    for (const line of inner) this.line(`  ${line}`);
    this.line("}");
  }

  /** The value under a name or as a number, so that it can be used several times. */
  share(code: Code): Code {
    if (isAtom(code)) return code;
    const name = this.name("t");
    this.line(`const ${name} = ${code};`);
    return name;
  }
}

/** True of names and numbers, which cost nothing to write again. */
const isAtom = (code: Code): boolean => /^(?:[A-Za-z_][\w$]*|\(?-?[\d.]+(?:e[+-]?\d+)?\)?)$/.test(code);

/** The number that a piece of code is, if it is one. */
export function numberIn(code: Code): number | undefined {
  const number = Number(code.replace(/^\((.*)\)$/, "$1"));
  return code === "" || Number.isNaN(number) ? undefined : number;
}

export const numberCode = (value: number): Code => {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.startsWith("-") ? `(${text})` : text;
};

/** The names in code. */
export const namesIn = (code: Code): Set<string> => new Set(code.match(/[A-Za-z_][\w$]*/g) ?? []);

/** Lines without the declarations of constants and variables that nothing reads. */
export function withoutUnused(lines: readonly string[], also: string): string[] {
  const counts = new Map<string, number>();
  const count = (text: string, by: number) => {
    for (const name of text.match(/[A-Za-z_][\w$]*/g) ?? []) counts.set(name, (counts.get(name) ?? 0) + by);
  };
  for (const line of lines) count(line, 1);
  count(also, 1);
  const kept = [...lines];
  for (let i = kept.length - 1; i >= 0; i--) {
    const declared = /^\s*const ([\w$]+) = .*;$/.exec(kept[i]);
    if (!declared || counts.get(declared[1]) !== 1) continue;
    count(kept[i], -1);
    kept.splice(i, 1);
  }
  return kept;
}
