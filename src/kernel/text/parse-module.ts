import { kernelError } from "../errors.ts";
import type { BinaryOperator } from "../ir.ts";
import { Cursor } from "./cursor.ts";
import { joinSpans } from "./lexer.ts";
import { ExpressionParser } from "./parse-expression.ts";
import type {
  AssignSyntax,
  DeclareSyntax,
  ExpressionSyntax,
  ForSyntax,
  FunctionSyntax,
  IfSyntax,
  MemberSyntax,
  ModuleSyntax,
  StatementSyntax,
  StructSyntax,
} from "./syntax.ts";

const compound = /^(\+|-|\*|\/|%|&|\||\^|<<|>>)=$/;
const unbounded = new Set(["while", "loop"]);

/** Reads the text of a kernel or of functions. */
export const parseModule = (text: string): ModuleSyntax => new ModuleParser(new Cursor(text)).module();

/** Reads a text that is one expression. */
export function parseLoneExpression(text: string): ExpressionSyntax {
  const cursor = new Cursor(text);
  const found = new ExpressionParser(cursor).expression();
  if (cursor.next.kind !== "end") throw cursor.unexpected("an operator, or the end of the expression");
  return found;
}

class ModuleParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
    this.expressions = new ExpressionParser(cursor);
  }

  module(): ModuleSyntax {
    const structs: StructSyntax[] = [];
    const functions: FunctionSyntax[] = [];
    const body: StatementSyntax[] = [];
    while (this.cursor.next.kind !== "end") {
      if (this.cursor.sees("struct")) structs.push(this.struct());
      else if (this.cursor.sees("fn")) functions.push(this.function());
      else if (!this.cursor.skip(";")) body.push(this.statement());
    }
    return { structs, functions, body };
  }

  private struct(): StructSyntax {
    const { cursor } = this;
    const start = cursor.take();
    const name = cursor.expectName("the struct's name");
    cursor.expect("{", "before the struct's members");
    const members = this.members("}");
    const end = cursor.expect("}", "after the struct's members");
    cursor.skip(";");
    return { name, members, span: joinSpans(start.span, end.span) };
  }

  private members(end: string): MemberSyntax[] {
    const { cursor } = this;
    const members: MemberSyntax[] = [];
    while (!cursor.sees(end)) {
      const name = cursor.expectName("a name");
      cursor.expect(":", `and a type after “${name.text}”`);
      members.push({ name, type: this.expressions.type() });
      if (!cursor.skip(",")) break;
    }
    return members;
  }

  private function(): FunctionSyntax {
    const { cursor } = this;
    const start = cursor.take();
    const name = cursor.expectName("the function's name");
    cursor.expect("(", "before the parameters");
    const parameters = this.members(")");
    cursor.expect(")", "after the parameters");
    cursor.expect("->", "and the type of the result");
    const result = this.expressions.type();
    const body = this.block();
    return { name, parameters, result, body, span: joinSpans(start.span, cursor.last.span) };
  }

  private block(): StatementSyntax[] {
    const { cursor } = this;
    cursor.expect("{", "before the statements");
    const body: StatementSyntax[] = [];
    while (!cursor.sees("}")) {
      if (cursor.next.kind === "end") throw cursor.unexpected("“}” after the statements");
      if (!cursor.skip(";")) body.push(this.statement());
    }
    cursor.take();
    return body;
  }

  private statement(): StatementSyntax {
    const { cursor } = this;
    const { text, span } = cursor.next;
    if (text === "if") return this.if();
    if (text === "for") return this.for();
    if (unbounded.has(text)) {
      throw kernelError(
        `“${text}” may never end.`,
        "Write a loop with bounds: for (var i = 0; i < n; i++).",
        span,
      );
    }
    const found = this.simpleStatement();
    cursor.expect(";", "after the statement");
    return found;
  }

  private simpleStatement(): StatementSyntax {
    const { cursor } = this;
    const { text, span } = cursor.next;
    if (text === "let" || text === "var" || text === "const") return this.declare();
    if (text === "break" || text === "continue") {
      cursor.take();
      return { kind: text, span };
    }
    if (text === "return") {
      cursor.take();
      const value = cursor.sees(";") ? undefined : this.expressions.expression();
      return { kind: "return", value, span: joinSpans(span, cursor.last.span) };
    }
    return this.assign();
  }

  private declare(): DeclareSyntax {
    const { cursor } = this;
    const { text, span } = cursor.take();
    const keyword = text as DeclareSyntax["keyword"];
    const name = cursor.expectName(`a name after ${keyword}`);
    const type = cursor.skip(":") ? this.expressions.type() : undefined;
    const value = cursor.skip("=") ? this.expressions.expression() : undefined;
    if (!value && keyword !== "var") throw cursor.unexpected(`“=” and a value for “${name.text}”`);
    if (!value && !type) throw cursor.unexpected(`a type or a value for “${name.text}”`);
    return { kind: "declare", keyword, name, type, value, span: joinSpans(span, cursor.last.span) };
  }

  private assign(): AssignSyntax {
    const { cursor } = this;
    if (cursor.next.kind !== "name" || cursor.isKeyword()) throw cursor.unexpected("a statement");
    const target = this.expressions.postfix();
    const { text, span } = cursor.next;
    const compounded = compound.exec(text)?.[1];
    const isStep = text === "++" || text === "--";
    if (!isStep && compounded === undefined && text !== "=") {
      throw target.kind === "call"
        ? kernelError(
            "This call does nothing: its value is not used.",
            "Assign it, or remove it.",
            target.span,
          )
        : cursor.unexpected("“=”, as in `x = value;`");
    }
    cursor.take();
    const operator = (isStep ? text[0] : compounded) as BinaryOperator | undefined;
    const value: ExpressionSyntax = isStep
      ? { kind: "number", text: "1", span }
      : this.expressions.expression();
    return { kind: "assign", target, operator, value, span: joinSpans(target.span, cursor.last.span) };
  }

  private if(): IfSyntax {
    const { cursor } = this;
    const { span } = cursor.take();
    const condition = this.expressions.expression();
    const body = this.block();
    const otherwise = cursor.skip("else") ? (cursor.sees("if") ? [this.if()] : this.block()) : [];
    return { kind: "if", condition, body, otherwise, span: joinSpans(span, cursor.last.span) };
  }

  private for(): ForSyntax {
    const { cursor } = this;
    const { span } = cursor.take();
    cursor.expect("(", "after for");
    if (!cursor.sees("var")) throw cursor.unexpected("`var`, as in for (var i = 0; i < n; i++)");
    const start = this.declare();
    cursor.expect(";", "after the loop's first value");
    const condition = this.expressions.expression();
    cursor.expect(";", "after the loop's condition");
    const step = this.assign();
    cursor.expect(")", "after the loop's step");
    const body = this.block();
    return { kind: "for", start, condition, step, body, span: joinSpans(span, cursor.last.span) };
  }
}
