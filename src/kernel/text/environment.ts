import { builtins } from "../builtins.ts";
import { kernelError } from "../errors.ts";
import type { KernelFunction, KernelInput, KernelOutput, Variable } from "../ir.ts";
import type { StructType, Type } from "../types.ts";
import { isTypeName, resolveType, type TypeNames } from "./resolve-type.ts";
import type { ExpressionSyntax, FunctionSyntax, Name, StructSyntax, TypeSyntax } from "./syntax.ts";

/** What a kernel declares outside its text. */
export interface Signature {
  readonly inputs: Readonly<Record<string, KernelInput>>;
  readonly outputs: Readonly<Record<string, KernelOutput>>;
  readonly constants: Readonly<Record<string, Type>>;
  /** Functions of values made elsewhere that the text may call, callees before their callers. */
  readonly callables?: readonly KernelFunction[];
}

/** Functions of values with their structs, made elsewhere: callees before their callers. */
export interface Library {
  readonly structs: readonly StructType[];
  readonly functions: readonly KernelFunction[];
}

/** Names for types, so that one text serves for several: `T` may stand for f32 or vec3<f64>. */
export type Aliases = Readonly<Record<string, Type>>;

/** Structs and functions of a text. Functions are lowered when first called, so that their order does not matter. */
export class Environment implements TypeNames {
  readonly signature: Signature | undefined;
  /** Callees before their callers. */
  readonly functions: KernelFunction[] = [];
  readonly structs = new Map<string, StructType>();
  private readonly aliases: Aliases;
  private readonly written = new Map<string, FunctionSyntax>();
  private readonly lowered = new Map<string, KernelFunction>();
  /** Functions that are being lowered now, the outermost first. */
  private readonly open: string[] = [];
  /** Set by the lowering, which needs the environment itself. */
  lowerFunction: (syntax: FunctionSyntax) => Omit<KernelFunction, "span"> = () => {
    throw kernelError("Functions cannot be called here.", "");
  };
  lowerLength: (value: ExpressionSyntax) => number = () => 0;

  constructor(signature: Signature | undefined, aliases: Aliases) {
    this.signature = signature;
    this.aliases = aliases;
    this.include({ structs: [], functions: signature?.callables ?? [] });
  }

  /** Takes in functions and structs of other texts, callees before their callers. */
  include({ structs, functions }: Library): void {
    for (const struct of structs) this.structs.set(struct.name, struct);
    for (const callable of functions) {
      this.lowered.set(callable.name, callable);
      this.functions.push(callable);
    }
  }

  find(name: string): Type | undefined {
    return this.structs.get(name) ?? (Object.hasOwn(this.aliases, name) ? this.aliases[name] : undefined);
  }

  names(): string[] {
    return [...this.structs.keys(), ...Object.keys(this.aliases)];
  }

  length(value: ExpressionSyntax): number {
    return this.lowerLength(value);
  }

  functionNames(): string[] {
    return [...new Set([...this.lowered.keys(), ...this.written.keys()])];
  }

  declareStruct({ name, members }: StructSyntax): void {
    this.refuseTaken(name);
    const seen = new Set<string>();
    for (const member of members) {
      if (seen.has(member.name.text)) {
        throw kernelError(
          `${name.text} has two members “${member.name.text}”.`,
          "Give one of them another name.",
          member.name.span,
        );
      }
      seen.add(member.name.text);
    }
    if (members.length === 0) {
      throw kernelError(`The struct ${name.text} has no members.`, "Give it one.", name.span);
    }
    const types = members.map((member) => ({
      name: member.name.text,
      type: resolveType(member.type, this),
    }));
    this.structs.set(name.text, { kind: "struct", name: name.text, members: types });
  }

  declareFunction(syntax: FunctionSyntax): void {
    const { text, span } = syntax.name;
    this.refuseTaken(syntax.name);
    if (builtins.has(text)) {
      throw kernelError(`“${text}” is a built-in function.`, "Choose another name.", span);
    }
    this.written.set(syntax.name.text, syntax);
  }

  private refuseTaken({ text, span }: Name): void {
    const isTaken =
      this.find(text) !== undefined ||
      this.written.has(text) ||
      this.lowered.has(text) ||
      Object.hasOwn(this.signature?.inputs ?? {}, text);
    if (isTypeName(text)) throw kernelError(`“${text}” is a type.`, "Choose another name.", span);
    if (isTaken) throw kernelError(`“${text}” is declared twice.`, "Give one of them another name.", span);
  }

  /** The function of the name, lowered; undefined where the text has none. */
  functionNamed({ text, span }: Name): KernelFunction | undefined {
    const found = this.lowered.get(text);
    const syntax = this.written.get(text);
    if (found || !syntax) return found;
    if (this.open.includes(text)) {
      throw kernelError(
        `The function “${text}” calls itself: ${[...this.open.slice(this.open.indexOf(text)), text].join(" → ")}.`,
        "Kernels have no recursion: write a loop.",
        span,
      );
    }
    this.open.push(text);
    const made = { ...this.lowerFunction(syntax), span: syntax.name.span };
    this.open.pop();
    this.lowered.set(text, made);
    this.functions.push(made);
    return made;
  }

  type(syntax: TypeSyntax): Type {
    return resolveType(syntax, this);
  }

  parameters({ parameters }: FunctionSyntax): Variable[] {
    return parameters.map(({ name, type }) => ({
      name: name.text,
      type: resolveType(type, this),
      isMutable: false,
    }));
  }
}
