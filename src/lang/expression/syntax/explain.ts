import { CrinkleError, type Span } from "../../../core/errors.ts";
import { maxDepth, maxOpenLevels, tooDeep } from "./depth.ts";
import { describePlace, type LineMap, located } from "./located.ts";
import { openAt } from "./open.ts";
import { startsDefinition, type Token, wantsOperand } from "./tokens.ts";

const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

const strayRemedies: Record<string, string> = {
  "'": 'Names are quoted with ": "X Velocity".',
  "“": 'Names are quoted with the straight ": "X Velocity".',
  "”": 'Names are quoted with the straight ": "X Velocity".',
  "×": "Multiply with *.",
  "·": "Multiply with *, or use dot(a, b).",
  "÷": "Divide with /.",
  "\\": "Divide with /.",
  "−": "Subtract with -.",
  "–": "Subtract with -.",
  "≤": "Write <=.",
  "≥": "Write >=.",
  "≠": "Write !=.",
  "²": "Write ^2.",
  "³": "Write ^3.",
  "|": "Write or, or ||.",
  ".": "Take a component by its index: v[0].",
  ":": "Conditions are written if … then … else ….",
  "?": "Conditions are written if … then … else ….",
};

/**
 * The sentence for a syntax error. `at` is the offset where the parser that started at `start` could go no further.
 */
export function explainSyntaxError(
  tokens: readonly Token[],
  start: number,
  at: number,
  lines: LineMap,
): CrinkleError {
  const index = tokens.findIndex((token) => token.to > at);
  const found = index < 0 ? tokens.length : index;
  const first = tokens.findIndex((token) => token.from >= start);
  return new Explanation(tokens, first, found, lines).error();
}

class Explanation {
  readonly #tokens: readonly Token[];
  readonly #first: number;
  readonly #index: number;
  readonly #lines: LineMap;

  constructor(tokens: readonly Token[], first: number, index: number, lines: LineMap) {
    this.#tokens = tokens;
    this.#first = first;
    // A name that was taken for the value missing in the line above.
    const early = tokens[index]?.kind === "assign" && index > first && startsDefinition(tokens, index - 1);
    this.#index = early ? index - 1 : index;
    this.#lines = lines;
  }

  error(): CrinkleError {
    const found = this.#tokens[this.#index] as Token | undefined;
    if (found?.kind === "unclosed quote") {
      return this.#say(found, "The quoted name that starts here has no closing quote", 'Add a ".');
    }
    if (found?.kind === "stray") {
      return this.#say(found, `The character ${found.text} has no meaning here`, strayRemedies[found.text]);
    }
    if (found && maxOpenLevels(this.#tokens, this.#first, this.#index) > maxDepth) {
      return tooDeep(this.#span(found));
    }
    const header = this.#header();
    if (header) return this.#badHeader(header, found);
    const before = this.#before();
    return before === undefined || wantsOperand.has(before.kind)
      ? this.#withoutOperand(before, found)
      : this.#afterOperand(before, found);
  }

  /** The word `def` of the definition before whose = the error is. */
  #header(): Token | undefined {
    for (let i = this.#index - 1; i >= this.#first; i--) {
      const { kind } = this.#tokens[i];
      if (kind === "assign" || kind === "separator" || kind === "newline") return undefined;
      if (this.#tokens[i].text === "def") return this.#tokens[i];
    }
    return undefined;
  }

  #badHeader(def: Token, found: Token | undefined): CrinkleError {
    const after = this.#tokens[this.#index - 1];
    if (after === def && found?.kind === "assign") return this.#reserved(def);
    if (found?.kind === "keyword") {
      if (after !== def) return this.#reserved(found);
      return this.#say(
        found,
        `“${found.text}” is a word of the language and cannot be a function's name`,
        "Take another one.",
      );
    }
    const isEnd = this.#ends(found);
    return this.#say(
      isEnd ? after : found,
      isEnd
        ? `The definition of a function cannot end after “${after.text}”`
        : `The definition of a function cannot go on with “${found.text}” after “${after.text}”`,
      "Write def name(a, b) = expression.",
    );
  }

  /** The last token of the statement before the error. */
  #before(): Token | undefined {
    let i = this.#index - 1;
    while (i >= this.#first && this.#tokens[i].kind === "newline") i--;
    return i >= this.#first ? this.#tokens[i] : undefined;
  }

  /** The statement ends at the error: with the text, at a `;`, or because the next line defines a name. */
  #ends(found: Token | undefined): found is undefined {
    return (
      found === undefined ||
      found.kind === "separator" ||
      found.kind === "newline" ||
      startsDefinition(this.#tokens, this.#index)
    );
  }

  #withoutOperand(before: Token | undefined, found: Token | undefined): CrinkleError {
    const next = this.#tokens[this.#index + 1] as Token | undefined;
    if (found?.kind === "keyword" && next?.kind === "assign") return this.#reserved(found);
    if (before?.kind === "keyword" && found?.kind === "assign") return this.#reserved(before);
    if (before === undefined || before.kind === "separator") {
      return this.#badStart(found);
    }
    if (this.#ends(found)) return this.#say(before, `An expression is expected after “${before.text}”`);
    const taken = this.#takenForFunction(before);
    if (taken !== undefined) {
      return new Explanation(this.#tokens, this.#first, taken, this.#lines).error();
    }
    if (startsOperand(found)) {
      // Except after `def`, the grammar allows it here, so the parser has reached its maximum depth.
      return this.#index - this.#first > maxDepth
        ? tooDeep(this.#span(found))
        : this.#say(found, `“${found.text}” cannot follow “${before.text}”`);
    }
    return this.#say(
      found,
      `An expression is expected after “${before.text}”, but “${found.text}” was found`,
    );
  }

  /** Where `before` stands, if it is an `and` without a left side, which the grammar takes for the function and(a, b). */
  #takenForFunction(before: Token): number | undefined {
    if (before.text !== "and" && before.text !== "or") return undefined;
    const at = this.#tokens.lastIndexOf(before, this.#index - 1);
    const left = this.#tokens.slice(this.#first, at).findLast(({ kind }) => kind !== "newline");
    return left === undefined || wantsOperand.has(left.kind) ? at : undefined;
  }

  #afterOperand(before: Token, found: Token | undefined): CrinkleError {
    const open = openAt(this.#tokens, this.#first, this.#index);
    const innermost = open.at(-1);
    const bracket = open.findLast((token) => token.kind === "open");
    const ends = this.#ends(found);
    if (
      innermost?.kind === "keyword" &&
      (ends || ["close", "comma"].includes(found.kind) || found.text === "else")
    ) {
      return this.#missing(
        innermost,
        `${innermost.text === "if" ? "then" : "else"} is missing for the ${innermost.text}`,
        "Write if condition then value else value.",
      );
    }
    if (ends && bracket) {
      return this.#missing(bracket, `A closing ${closers[bracket.text]} is missing for the ${bracket.text}`);
    }
    if (ends) return this.#say(before, `“${before.text}” cannot end a statement`);
    if (open.length === 0 && found.kind === "open" && this.#tokens[this.#index - 1].kind === "newline") {
      return this.#badStart(found);
    }
    switch (found.kind) {
      case "close":
        if (!bracket) return this.#say(found, `There is no opening bracket for this ${found.text}`);
        return this.#missing(
          bracket,
          `${found.text} closes the ${bracket.text}`,
          `Close it with ${closers[bracket.text]}.`,
        );
      case "assign":
        return this.#say(
          found,
          "Here = cannot assign: it follows the name at the start of a statement",
          before.text === ")" && !bracket
            ? "Compare with ==, or define a function with def name(a, b) = expression."
            : "Compare with ==.",
        );
      case "comma":
        return this.#say(
          found,
          bracket?.text === "("
            ? "Parentheses without a function's name hold one value"
            : "A comma has no meaning outside brackets",
          "Write a vector as {a, b, c}.",
        );
      case "keyword":
        if (found.text === "then" || found.text === "else") {
          return this.#say(found, `There is no if for this ${found.text}`);
        }
        break;
    }
    return this.#say(
      found,
      `An operator is expected between “${before.text}” and “${found.text}”`,
      found.kind !== "name"
        ? undefined
        : before.kind === "number"
          ? `Multiply with *: ${before.text}*${found.text}.`
          : before.kind === "name"
            ? `A name with a space is written in quotes: "${before.text} ${found.text}".`
            : undefined,
    );
  }

  #badStart(found: Token | undefined): CrinkleError {
    return this.#say(found, `A statement cannot start with “${found?.text}”`, "Write name = expression.");
  }

  #reserved(word: Token): CrinkleError {
    return this.#say(
      word,
      `“${word.text}” is a word of the language and cannot be a name as it stands`,
      `Put it in quotes: "${word.text}".`,
    );
  }

  #say(token: Token | undefined, problem: string, remedy?: string): CrinkleError {
    return located(
      "SyntaxError",
      this.#span(token ?? this.#tokens[this.#tokens.length - 1]),
      problem,
      remedy,
    );
  }

  /** About an opening token, which the sentence ends in. */
  #missing(opener: Token, problem: string, remedy?: string): CrinkleError {
    const span = this.#span(opener);
    return new CrinkleError({
      tag: "SyntaxError",
      problem: `${problem} at ${describePlace(span)}.`,
      remedy,
      span,
    });
  }

  #span(token: Token): Span {
    return this.#lines.span(token.from, token.to);
  }
}

function startsOperand(token: Token): boolean {
  return (
    token.kind === "name" || token.kind === "number" || ["(", "{", "-", "!", "not", "if"].includes(token.text)
  );
}
