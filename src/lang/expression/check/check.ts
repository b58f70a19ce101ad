import { CrinkleError, type Span } from "../../../core/errors.ts";
import { findFilter, negationFilter, operatorFilters } from "../filters/registry.ts";
import type { NetworkBuilder } from "../network/builder.ts";
import type { LoopOf } from "../network/folding.ts";
import { createNetworkBuilder } from "../network/graph.ts";
import type { NodeId } from "../network/network.ts";
import { located } from "../syntax/located.ts";
import { printExpression } from "../syntax/print.ts";
import type {
  Binary,
  Call,
  Expression,
  FunctionDefinition,
  Index,
  Name,
  Program,
  VectorLiteral,
} from "../syntax/tree.ts";
import type { ExpressionType } from "../types.ts";
import { Expansion } from "./expansion.ts";
import { Dependent, FailedCall, inCall } from "./failures.ts";
import { type Evaluation, lowerGrad3d, lowerRecenter, meshName, takesMeshName } from "./forms.ts";
import type { DefinitionsOfText, Frame, UserFunction } from "./frame.ts";
import { checkArity, definitionsOf, resolveFunction } from "./functions.ts";
import { isMoveOfValues, lowerMove } from "./moves.ts";
import { isOfScope, type KnownNames, type Scope, unknownFunction, unknownName } from "./scope.ts";

/** The type of a part of the text. */
export interface TypedSpan {
  readonly span: Span;
  readonly type: ExpressionType;
}

export interface CheckedDefinition {
  readonly name: string;
  /** The position of the name; undefined for a last statement without one. */
  readonly nameSpan: Span | undefined;
  /** Undefined if the statement has an error. */
  readonly type: ExpressionType | undefined;
}

export interface CheckResult {
  readonly network: NetworkBuilder;
  readonly definitions: readonly CheckedDefinition[];
  /** The functions that the text defines, in its order, including those with errors. */
  readonly functions: readonly FunctionDefinition[];
  readonly types: readonly TypedSpan[];
  /** Types in functions' bodies, which depend on the call: each type once. */
  readonly typesInBodies: readonly TypedSpan[];
  /** At most one per statement, in the order of the text. */
  readonly errors: readonly CrinkleError[];
}

/** Resolves names, checks types and builds the network of a program, as far as it is valid. */
export function check(program: Program, scope: Scope, loopOf: LoopOf): CheckResult {
  const checker = new Checker(program, scope, loopOf);
  for (const statement of program.statements) {
    if (statement.kind === "function") checker.defineFunction(statement);
    else checker.define(statement.name, statement.nameSpan, checker.statement(statement.value));
  }
  return checker;
}

class Checker implements CheckResult, Evaluation {
  readonly network: NetworkBuilder;
  readonly scope: Scope;
  readonly definitions: CheckedDefinition[] = [];
  readonly functions: FunctionDefinition[] = [];
  readonly types: TypedSpan[] = [];
  readonly typesInBodies: TypedSpan[] = [];
  readonly errors: CrinkleError[] = [];
  readonly #ofText: Frame = { values: new Map(), functions: new Map() };
  readonly #definitionsOfText: DefinitionsOfText;
  readonly #expansion = new Expansion();
  readonly #seenInBodies = new Set<string>();
  #frame = this.#ofText;

  constructor(program: Program, scope: Scope, loopOf: LoopOf) {
    this.network = createNetworkBuilder(loopOf);
    this.scope = scope;
    this.#definitionsOfText = definitionsOf(program);
  }

  /** The value's node; undefined if it has an error. */
  statement(value: Expression | undefined): NodeId | undefined {
    if (!value) return undefined;
    return this.#reporting(() => this.evaluate(value));
  }

  defineFunction(definition: FunctionDefinition): void {
    this.functions.push(definition);
    const resolved = this.#reporting(() => resolveFunction(definition, this.#known()));
    this.#ofText.functions.set(definition.name, resolved ?? { state: "broken", definition });
  }

  #reporting<T>(action: () => T): T | undefined {
    this.#expansion.reset();
    this.#frame = this.#ofText;
    try {
      return action();
    } catch (error) {
      if (error instanceof CrinkleError) this.errors.push(error);
      else if (error instanceof FailedCall) this.errors.push(error.located());
      else if (!(error instanceof Dependent)) throw error;
      return undefined;
    }
  }

  /** The meaning of names at the statement that is being checked. */
  #known(): KnownNames {
    return { ...this.#ofText, scope: this.scope, definitions: this.#definitionsOfText };
  }

  define(name: string, nameSpan: Span | undefined, node: NodeId | undefined): void {
    const type = node === undefined ? undefined : this.network.typeOf(node);
    this.#ofText.values.set(name, node);
    this.definitions.push({ name, nameSpan, type });
    if (type && nameSpan) this.types.push({ span: nameSpan, type });
    if (node !== undefined) this.network.output(name, node);
  }

  evaluate(expression: Expression): NodeId {
    this.#expansion.enter(expression.span);
    const node = this.#dispatch(expression);
    this.#expansion.leave();
    return node;
  }

  #dispatch(expression: Expression): NodeId {
    const { span } = expression;
    switch (expression.kind) {
      case "number":
        return this.network.constant([expression.value], span);
      case "name":
        return this.#typed(span, this.#name(expression));
      case "unary": {
        const filter = expression.operator === "-" ? negationFilter : operatorFilters[expression.operator];
        return this.network.apply(filter, [this.evaluate(expression.operand)], span);
      }
      case "binary":
        return this.#binary(expression);
      case "conditional": {
        const parts = [expression.condition, expression.consequent, expression.alternative];
        return this.network.apply("if", this.#all(parts), span);
      }
      case "index":
        return this.#index(expression);
      case "vector":
        return this.#vector(expression);
      case "call":
        return this.#typed(expression.calleeSpan, this.#call(expression));
    }
  }

  isDefined(name: string): boolean {
    return this.#frame.values.has(name);
  }

  #name({ name, span }: Name): NodeId {
    if (this.isDefined(name)) {
      const node = this.#frame.values.get(name);
      if (node === undefined) throw new Dependent();
      return node;
    }
    const field = this.scope.fields.find((candidate) => candidate.name === name);
    if (field) return this.network.source(field, undefined, span);
    switch (name) {
      case "coords":
        return this.network.coordinates("node", span);
      case "x":
      case "y":
      case "z": {
        const axis = "xyz".indexOf(name);
        const own = this.scope.fields.find((candidate) => candidate.name === "coords");
        return own?.components === 3
          ? this.network.source(own, axis, span)
          : this.network.component(this.network.coordinates("node", span), axis, span);
      }
      case "dims":
        throw located(
          "TypeError",
          span,
          "dims has a meaning only as second argument of grad3d(f, dims, x, y, z)",
        );
    }
    throw unknownName(name, span, this.#known());
  }

  #binary({ operator, left, right, span }: Binary): NodeId {
    // If the left side is in parentheses, it begins after its own bracket.
    const bare = left.span.from === span.from;
    if (bare && isComparison(operator) && left.kind === "binary" && isComparison(left.operator)) {
      const first = printExpression(left);
      const middle = printExpression(left.right);
      throw located(
        "TypeError",
        span,
        "Comparisons do not chain",
        `Write ${first} and ${middle} ${operator} ${printExpression(right)}.`,
      );
    }
    return this.network.apply(operatorFilters[operator], this.#all([left, right]), span);
  }

  #index({ target, index, span }: Index): NodeId {
    const position = this.network.constantOf(this.evaluate(index));
    if (position?.length !== 1 || !Number.isInteger(position[0])) {
      throw located("TypeError", index.span, "An index in [ ] must be a whole number that does not vary");
    }
    // A component of a field is read alone, because the whole field may have no type.
    const field = target.kind === "name" && !this.isDefined(target.name) && this.#field(target.name);
    if (field && field.components !== 9 && field.components > 1) {
      return this.network.source(field, position[0], span);
    }
    return this.network.component(this.evaluate(target), position[0], span);
  }

  #vector({ elements, span }: VectorLiteral): NodeId {
    if (elements.length !== 2 && elements.length !== 3) {
      throw located(
        "TypeError",
        span,
        `A vector in { } has 2 or 3 components, this one has ${elements.length}`,
      );
    }
    return this.network.apply("compose", this.#all(elements), span);
  }

  #call(call: Call): NodeId {
    const { callee, args, span } = call;
    const own = this.#frame.functions.get(callee);
    if (own) return this.#callFunction(call, own);
    const filter = findFilter(callee);
    if (callee === "grad3d") return lowerGrad3d(this, call);
    if (isMoveOfValues(call)) return lowerMove(this, call);
    if (!filter || filter.internal) {
      throw unknownFunction(call, this.#known());
    }
    if (filter.kind === "recenter") return lowerRecenter(this, call);
    const mesh = meshName(call, (name) => this.isDefined(name) || isOfScope(name, this.scope));
    if (mesh !== undefined) {
      this.network.note(`There is one mesh, the data set's own grid: ${callee}() takes it for “${mesh}”.`);
      return this.network.apply(callee, [], span);
    }
    if (args.length > 0 && takesMeshName(callee)) {
      throw located(
        "TypeError",
        span,
        `“${filter.doc.signature}” takes no arguments, but was given ${args.length}`,
      );
    }
    const inputs = this.#all(args);
    if (filter.kind === "element" && filter.commutative && inputs.length > 2) {
      return inputs.reduce((left, right) => this.network.apply(callee, [left, right], span));
    }
    return this.network.apply(callee, inputs, span);
  }

  /** The body's value for these arguments, as if the body were written in place of the call. */
  #callFunction(call: Call, callee: UserFunction): NodeId {
    if (callee.state === "broken") throw new Dependent();
    checkArity(call, callee.definition);
    const inputs = this.#all(call.args);
    const key = inputs.join(" ");
    const known = callee.results.get(key);
    if (known !== undefined) return known;
    const caller = this.#frame;
    this.#frame = callee.frame(inputs);
    try {
      const result = this.#expansion.inside(() => this.evaluate(callee.body));
      callee.results.set(key, result);
      const { nameSpan, parameters } = callee.definition;
      this.#typedInBody(nameSpan, result);
      for (const [i, { span }] of parameters.entries()) this.#typedInBody(span, inputs[i]);
      this.#frame = caller;
      return result;
    } catch (error) {
      throw inCall(error, callee.definition, call.span);
    }
  }

  #field(name: string) {
    return this.scope.fields.find((candidate) => candidate.name === name);
  }

  #all(expressions: readonly Expression[]): NodeId[] {
    return expressions.map((expression) => this.evaluate(expression));
  }

  #typed(span: Span, node: NodeId): NodeId {
    if (this.#frame === this.#ofText) this.types.push({ span, type: this.network.typeOf(node) });
    else this.#typedInBody(span, node);
    return node;
  }

  #typedInBody(span: Span, node: NodeId): void {
    const type = this.network.typeOf(node);
    const key = `${span.from} ${type.value} ${type.placement}`;
    if (this.#seenInBodies.has(key)) return;
    this.#seenInBodies.add(key);
    this.typesInBodies.push({ span, type });
  }
}

function isComparison(operator: string): boolean {
  return ["<", "<=", ">", ">=", "==", "!="].includes(operator);
}
