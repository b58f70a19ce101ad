import { kernelError } from "../errors.ts";
import type { BinaryOperator, UnaryOperator } from "../ir.ts";
import type { Cursor } from "./cursor.ts";
import { joinSpans } from "./lexer.ts";
import type { ExpressionSyntax, TypeSyntax } from "./syntax.ts";

/** From loose to tight. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!=", "<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const level = new Map(levels.flatMap((operators, i) => operators.map((operator) => [operator, i] as const)));

const unaryOperators: ReadonlySet<string> = new Set<UnaryOperator>(["-", "!", "~"]);
/** Names that `<` after them makes templates. */
const templates = /^(vec[234]|mat[234]x[234]|array|bitcast)$/;
const maxDepth = 200;

/** Whether an operator's operand may be another operator without parentheses: WGSL has no order between some. */
function mayHold(parent: BinaryOperator, child: BinaryOperator, isLeft: boolean): boolean {
  const [outer, inner] = [level.get(parent)!, level.get(child)!];
  if (outer >= 7) return inner >= 7;
  if (outer === 6) return false;
  if (outer === 5) return inner >= 6;
  if (outer >= 2) return isLeft && parent === child;
  return parent === child || inner >= 5;
}

export class ExpressionParser {
  private readonly cursor: Cursor;
  private readonly parenthesized = new WeakSet<ExpressionSyntax>();
  private depth = 0;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  expression(): ExpressionSyntax {
    if (this.depth >= maxDepth) {
      throw kernelError(
        `Expressions nest ${maxDepth} deep here.`,
        "Name parts of them with let.",
        this.cursor.next.span,
      );
    }
    this.depth++;
    const found = this.binary(0);
    this.depth--;
    return found;
  }

  private binary(lowest: number): ExpressionSyntax {
    const { cursor } = this;
    let left = this.unary();
    for (;;) {
      const { text, kind } = cursor.next;
      const operator = text as BinaryOperator;
      const rank = kind === "symbol" ? level.get(operator) : undefined;
      if (rank === undefined || rank < lowest) return left;
      const place = cursor.take().span;
      const right = this.binary(rank + 1);
      for (const child of [left, right]) {
        if (child.kind !== "binary" || this.parenthesized.has(child)) continue;
        if (mayHold(operator, child.operator, child === left)) continue;
        throw kernelError(
          `\`${child.operator}\` and \`${operator}\` have no order between them.`,
          "Put one of them in parentheses.",
          place,
        );
      }
      left = { kind: "binary", operator, left, right, span: joinSpans(left.span, right.span) };
    }
  }

  private unary(): ExpressionSyntax {
    const { cursor } = this;
    const { kind, text, span } = cursor.next;
    if (kind !== "symbol" || !unaryOperators.has(text)) return this.postfix();
    cursor.take();
    if (this.depth++ >= maxDepth) {
      throw kernelError(`Expressions nest ${maxDepth} deep here.`, "Name parts of them with let.", span);
    }
    const operand = this.unary();
    this.depth--;
    return { kind: "unary", operator: text as UnaryOperator, operand, span: joinSpans(span, operand.span) };
  }

  postfix(): ExpressionSyntax {
    const { cursor } = this;
    let operand = this.primary();
    for (;;) {
      if (cursor.skip(".")) {
        const member = cursor.expectName("a member's name after “.”");
        operand = { kind: "member", operand, member, span: joinSpans(operand.span, member.span) };
      } else if (cursor.skip("[")) {
        const index = this.expression();
        const end = cursor.expect("]", "after the index");
        operand = { kind: "index", operand, index, span: joinSpans(operand.span, end.span) };
      } else return operand;
    }
  }

  private primary(): ExpressionSyntax {
    const { cursor } = this;
    const { kind, text, span } = cursor.next;
    if (kind === "number") {
      cursor.take();
      return { kind: "number", text, span };
    }
    if (cursor.skip("(")) {
      const inner = this.expression();
      const end = cursor.expect(")", "to close the parenthesis");
      const copy = { ...inner, span: joinSpans(span, end.span) };
      this.parenthesized.add(copy);
      return copy;
    }
    if (text === "true" || text === "false") {
      cursor.take();
      return { kind: "boolean", value: text === "true", span };
    }
    if (kind !== "name" || cursor.isKeyword()) throw cursor.unexpected("a value");
    if (cursor.afterNext.text !== "(" && !(templates.test(text) && cursor.afterNext.text === "<")) {
      cursor.take();
      return { kind: "name", name: text, span };
    }
    const callee = this.type();
    cursor.expect("(", `after ${callee.name}<…>`);
    const values: ExpressionSyntax[] = [];
    while (!cursor.sees(")")) {
      values.push(this.expression());
      if (!cursor.skip(",")) break;
    }
    const end = cursor.expect(")", "after the arguments");
    return { kind: "call", callee, arguments: values, span: joinSpans(span, end.span) };
  }

  type(): TypeSyntax {
    const { cursor } = this;
    const { text, span } = cursor.expectName("a type");
    if (!templates.test(text) || !cursor.skip("<")) {
      return { name: text, element: undefined, length: undefined, span };
    }
    const element = this.type();
    const length = cursor.skip(",") ? this.binary(level.get("+")!) : undefined;
    cursor.expectTemplateEnd();
    return { name: text, element, length, span: joinSpans(span, cursor.last.span) };
  }
}
