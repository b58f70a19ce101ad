import type { SyntaxNode, Tree } from "@lezer/common";
import { CrinkleError, type Span } from "../../../core/errors.ts";
import * as terms from "../grammar/parser.terms.ts";
import { maxDepth, tooDeep } from "./depth.ts";
import type { LineMap } from "./located.ts";
import { nameOfQuoted } from "./quoting.ts";
import {
  type BinaryOperator,
  type Call,
  type Expression,
  type FunctionDefinition,
  type ParseResult,
  type Program,
  resultName,
  type Statement,
} from "./tree.ts";

const spellings: Record<string, BinaryOperator> = { "**": "^", "&": "and", "&&": "and", "||": "or" };

/** Thrown inside this file and caught in it: the piece of text has a syntax error. */
class Malformed extends Error {}

/**
 * The statements of the tree of `text`, which starts at `offset` of the text that `lines` knows; those with syntax
 * errors keep only their name.
 */
export function lowerProgram(tree: Tree, text: string, lines: LineMap, offset: number): ParseResult {
  const lowering = new Lowering(text, lines, offset);
  const statements: Program["statements"][number][] = [];
  for (const node of operands(children(tree.topNode))) {
    const statement = node.type.isError ? undefined : lowering.statement(node);
    if (statement) statements.push(statement);
  }
  return { program: { statements }, errors: lowering.errors };
}

class Lowering {
  readonly errors: CrinkleError[] = [];
  readonly #text: string;
  readonly #lines: LineMap;
  readonly #offset: number;
  #depth = 0;

  constructor(text: string, lines: LineMap, offset: number) {
    this.#text = text;
    this.#lines = lines;
    this.#offset = offset;
  }

  /** Undefined for the definition of a function that has no name. */
  statement(node: SyntaxNode): Statement | FunctionDefinition | undefined {
    const span = this.#span(node);
    if (node.type.id === terms.FunctionDefinition) return this.#function(node, span);
    if (node.type.id !== terms.Definition) {
      return { kind: "value", name: resultName, nameSpan: undefined, value: this.#valueOf(node), span };
    }
    const [name, , value, ...rest] = children(node);
    const whole = value !== undefined && rest.length === 0 && name.type.id === terms.DefinedName;
    return {
      kind: "value",
      name: this.#nameText(name),
      nameSpan: this.#span(name),
      value: whole ? this.#valueOf(value) : undefined,
      span,
    };
  }

  #function(node: SyntaxNode, span: Span): FunctionDefinition | undefined {
    const [, name, list, , body, ...rest] = children(node);
    if (name?.type.id !== terms.DefinedFunction) return undefined;
    const inList = list?.type.id === terms.ParameterList ? children(list) : [];
    const parameters = operands(inList);
    const whole = body !== undefined && rest.length === 0 && !inList.some(({ type }) => type.isError);
    return {
      kind: "function",
      name: this.#slice(name),
      nameSpan: this.#span(name),
      parameters: parameters.map((parameter) => ({
        name: this.#nameText(parameter),
        span: this.#span(parameter),
      })),
      body: whole ? this.#valueOf(body) : undefined,
      span,
    };
  }

  #valueOf(node: SyntaxNode): Expression | undefined {
    this.#depth = 0;
    try {
      return this.#expression(node);
    } catch (error) {
      if (error instanceof CrinkleError) this.errors.push(error);
      else if (!(error instanceof Malformed)) throw error;
      return undefined;
    }
  }

  #expression(node: SyntaxNode): Expression {
    if (++this.#depth > maxDepth) throw tooDeep(this.#span(node));
    const expression = this.#dispatch(node);
    this.#depth--;
    return expression;
  }

  #dispatch(node: SyntaxNode): Expression {
    const span = this.#span(node);
    const parts = children(node);
    if (parts.some((part) => part.type.isError)) throw new Malformed();
    switch (node.type.id) {
      case terms.Number:
        return { kind: "number", value: Number(this.#slice(node)), span };
      case terms.VariableName:
        return { kind: "name", name: this.#nameText(node), quoted: /^["<]/.test(this.#slice(node)), span };
      case terms.ParenthesizedExpression:
        return this.#expression(operands(parts)[0]);
      case terms.VectorExpression:
        return { kind: "vector", elements: operands(parts).map((part) => this.#expression(part)), span };
      case terms.IndexExpression: {
        const [target, index] = operands(parts);
        return { kind: "index", target: this.#expression(target), index: this.#expression(index), span };
      }
      case terms.UnaryExpression: {
        const [operator, operand] = parts;
        return {
          kind: "unary",
          operator: operator.type.id === terms.Minus ? "-" : "not",
          operand: this.#expression(operand),
          span,
        };
      }
      case terms.BinaryExpression: {
        const [left, operator, right] = parts;
        const written = this.#slice(operator);
        return {
          kind: "binary",
          operator: spellings[written] ?? (written as BinaryOperator),
          left: this.#expression(left),
          right: this.#expression(right),
          span,
        };
      }
      case terms.ConditionalExpression: {
        const [, condition, , consequent, , alternative] = parts;
        return {
          kind: "conditional",
          condition: this.#expression(condition),
          consequent: this.#expression(consequent),
          alternative: this.#expression(alternative),
          span,
        };
      }
      case terms.CallExpression:
        return this.#call(parts[0], parts[1], span);
      default:
        throw new Malformed();
    }
  }

  #call(callee: SyntaxNode, list: SyntaxNode, span: Span): Call {
    const parts = children(list);
    if (parts.some((part) => part.type.isError)) throw new Malformed();
    return {
      kind: "call",
      callee: this.#slice(callee),
      calleeSpan: this.#span(callee),
      args: operands(parts).map((part) => this.#expression(part)),
      span,
    };
  }

  #slice(node: SyntaxNode): string {
    return this.#text.slice(node.from, node.to);
  }

  #span(node: SyntaxNode): Span {
    return this.#lines.span(this.#offset + node.from, this.#offset + node.to);
  }

  #nameText(node: SyntaxNode): string {
    return nameOfQuoted(this.#slice(node));
  }
}

/** Child nodes without comments. */
function children(node: SyntaxNode): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.type.id !== terms.Comment) nodes.push(child);
  }
  return nodes;
}

/** Without brackets and commas, whose node names are not words. */
function operands(nodes: readonly SyntaxNode[]): SyntaxNode[] {
  return nodes.filter((node) => /^\w/.test(node.name));
}
