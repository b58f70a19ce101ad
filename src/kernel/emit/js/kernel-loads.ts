/** Reads of a kernel's inputs as JavaScript: indices of the blocks at hand, with what is the same for a row in front of it. */
import type { KernelProgram, Load } from "../../ir.ts";
import { scalarOf } from "../../types.ts";
import type { BlockShape, CallShape } from "../blocks.ts";
import type { IndexRange } from "./body.ts";
import { type Code, type CodeWriter, numberCode, numberIn } from "./code.ts";

/** The sum of pieces of code, without zeros. */
function sum(...terms: readonly Code[]): Code {
  const kept = terms.filter((term) => term !== "0");
  return kept.length === 0 ? "0" : kept.join(" + ");
}

const product = (a: Code, b: Code): Code => (b === "1" ? a : a === "1" ? b : `${a} * ${b}`);

/** Names of a block's numbers, as `unpack` declares them. */
interface BlockNames {
  readonly name: string;
  readonly shape: BlockShape;
  readonly components: number;
  readonly lead: Code;
  readonly elementStride: Code;
  readonly componentStride: Code;
}

export class KernelLoads {
  /** Lines that run once in a call. */
  readonly perCall: string[] = [];
  /** Lines that run once in each row of a grid; where elements are listed, at each of them. */
  readonly perRow: string[] = [];
  /** Lines that run at each element, before the kernel's own. */
  readonly perElement: string[] = [];
  readonly #program: KernelProgram;
  readonly #shape: CallShape;
  readonly #writer: CodeWriter;
  readonly #names = new Map<string, BlockNames>();
  readonly #held = new Map<string, Code>();

  constructor(program: KernelProgram, shape: CallShape, writer: CodeWriter) {
    this.#program = program;
    this.#shape = shape;
    this.#writer = writer;
    for (const name of Object.keys(shape.blocks)) this.#unpack(name);
  }

  get isGrid(): boolean {
    return this.#shape.space === "grid" || this.#shape.space === "list in a grid";
  }

  /** The components of the element that a load reads. */
  load(
    { input, indices: given }: Load,
    indices: readonly Code[],
    ranges: readonly (IndexRange | undefined)[],
  ): Code[] {
    const { access } = this.#program.inputs[input];
    const names = this.#names.get(input)!;
    const isSigned = given.map((index) => scalarOf(index.type) === "i32");
    switch (access.kind) {
      case "own":
        return this.#own(names);
      case "offsets":
        return this.#offset(
          names,
          indices.map((index) => numberIn(index) ?? 0),
        );
      case "map":
        return this.#mapped(names, access, this.#entry(access.arity, indices[0], ranges[0], isSigned[0]));
      case "footprint":
      case "all":
        if (indices.length === 3) return this.#inGrid(names, indices, isSigned);
        return this.#flat(names, indices[0], isSigned[0]);
    }
  }

  #unpack(name: string): void {
    const shape = this.#shape.blocks[name];
    const key = this.#writer.name(name);
    const block = `blocks[${JSON.stringify(name)}]`;
    const { perCall } = this;
    perCall.push(`const words$${key} = ${block}.words;`);
    const number = (label: string, value: string, known?: number | undefined): Code => {
      if (known !== undefined) return String(known);
      perCall.push(`const ${label}$${key} = ${block}.${value};`);
      return `${label}$${key}`;
    };
    const lead = number("lead", "lead", shape.isFromStart ? 0 : undefined);
    ["x", "y", "z"].forEach((axis, k) => {
      number(`from${axis}`, `origin[${k}]`);
      // Of the type of the indices that are compared with them: engines compare those faster.
      perCall.push(`const last${axis}$${key} = (${block}.extents[${k}] - 1) | 0;`);
      perCall.push(`const unsignedLast${axis}$${key} = (${block}.extents[${k}] - 1) >>> 0;`);
      number(`extent${axis}`, `extents[${k}]`);
      number(`whole${axis}`, `whole[${k}]`);
    });
    this.#names.set(name, {
      name: key,
      shape,
      components: this.#program.inputs[name].components ?? 1,
      lead,
      elementStride: number("stride", "elementStride", shape.elementStride),
      componentStride: number("plane", "componentStride", shape.componentStride),
    });
  }

  /** A value that a line before the element's own statements computes, once for the same key. */
  #hold(lines: string[], key: string, label: string, code: Code): Code {
    const known = this.#held.get(key);
    if (known) return known;
    const name = this.#writer.name(label);
    lines.push(`const ${name} = ${code};`);
    this.#held.set(key, name);
    return name;
  }

  /** The words of an element: `base` is the word where position 0 would be. */
  #words(names: BlockNames, base: Code, index: Code): Code[] {
    const { name, components, elementStride, componentStride } = names;
    const first = product(index, elementStride);
    return Array.from({ length: components }, (_, c) => {
      const offset =
        componentStride === "1" ? String(c) : c === 0 ? "0" : product(componentStride, String(c));
      return `words$${name}[${sum(base, first, offset)}]`;
    });
  }

  #own(names: BlockNames): Code[] {
    if (this.#shape.space === "grid" && names.shape.kind === "grid") {
      return this.#words(names, this.#rowBase(names, "y", "z"), "x");
    }
    if (names.shape.kind === "grid") return this.#flat(names, "place", false);
    return this.#words(names, this.#flatBase(names), this.#unrolled(names, "place"));
  }

  /** A position in the whole row, counted on beyond its end where a ring's part is behind that. */
  #unrolled({ name, shape }: BlockNames, position: Code): Code {
    if (!shape.isRing || shape.isFromStart) return position;
    const at = this.#writer.share(position);
    return this.#writer.share(`(${at} < fromx$${name} ? ${at} + wholex$${name} : ${at})`);
  }

  /** The word where element 0 of the whole row would be. */
  #flatBase(names: BlockNames): Code {
    if (names.shape.isFromStart) return "0";
    const { name, lead, elementStride } = names;
    return this.#hold(
      this.perCall,
      `base ${name}`,
      `base_${name}`,
      `${lead} - ${product(`fromx$${name}`, elementStride)}`,
    );
  }

  /** The word where x = 0 of the row at y and z would be. */
  #rowBase(names: BlockNames, y: Code, z: Code): Code {
    const { name, lead, elementStride, shape } = names;
    const from = (axis: string, at: Code) => (shape.isFromStart ? at : `(${at} - from${axis}$${name})`);
    const line = `extentx$${name} * (${from("y", y)} + extenty$${name} * ${from("z", z)})`;
    const first = shape.isFromStart ? line : `(${line} - fromx$${name})`;
    return this.#hold(
      this.perRow,
      `row ${name} ${y} ${z}`,
      `row_${name}`,
      sum(lead, product(first, elementStride)),
    );
  }

  #offset(names: BlockNames, offsets: readonly number[]): Code[] {
    const [dx, dy = 0, dz = 0] = offsets;
    if (offsets.length === 1) {
      const last = this.#hold(this.perCall, `last ${names.name}`, "last", `wholex$${names.name} - 1`);
      const at = this.#moved(this.perElement, "element", dx, last);
      return this.#words(names, this.#flatBase(names), this.#unrolled(names, at));
    }
    const x = this.#moved(this.perElement, "x", dx, "lastx");
    const y = this.#moved(this.perRow, "y", dy, "lasty");
    const z = this.#moved(this.perRow, "z", dz, "lastz");
    return this.#words(names, this.#rowBase(names, y, z), x);
  }

  /** A position moved by a number of elements, not beyond the whole's first and last. */
  #moved(lines: string[], position: Code, by: number, last: Code): Code {
    if (by === 0) return position;
    const code =
      by < 0
        ? `${position} < ${-by} ? 0 : ${position} - ${-by}`
        : `${position} > ${last} - ${by} ? ${last} : ${position} + ${by}`;
    return this.#hold(lines, `${position} ${by} ${last}`, position, code);
  }

  #clamped(code: Code, last: Code, isSigned: boolean): Code {
    const i = this.#writer.share(code);
    const inRange = `${i} > ${last} ? ${last} : ${i}`;
    return this.#writer.share(isSigned ? `(${i} < 0 ? 0 : ${inRange})` : `(${inRange})`);
  }

  /** A number counted from the part's first element, moved into the part along an axis. */
  #inPart({ name, shape }: BlockNames, local: Code, axis: string, isSigned: boolean): Code {
    const isNegative = isSigned || !shape.isFromStart;
    // The loops' own variables are small integers.
    const isUnsigned = !isNegative && !/^[xyz]$/.test(local);
    return this.#clamped(local, `${isUnsigned ? "unsignedLast" : "last"}${axis}$${name}`, isNegative);
  }

  #inGrid(names: BlockNames, indices: readonly Code[], isSigned: readonly boolean[]): Code[] {
    const { name, lead, shape } = names;
    const [x, y, z] = ["x", "y", "z"].map((axis, k) => {
      const local = shape.isFromStart ? indices[k] : `${indices[k]} - from${axis}$${name}`;
      return this.#inPart(names, local, axis, isSigned[k]);
    });
    const index = this.#writer.share(`${x} + extentx$${name} * (${y} + extenty$${name} * ${z})`);
    return this.#words(names, lead, index);
  }

  /** At a position in the whole, as in a row. */
  #flat(names: BlockNames, position: Code, isSigned: boolean): Code[] {
    const { name, lead, shape } = names;
    if (shape.kind === "row") {
      if (this.#shape.space === "grid" && /^[yz]$/.test(position)) return this.#perRowWords(names, position);
      const at = this.#unrolled(names, position);
      const local = shape.isFromStart ? at : `${at} - fromx$${name}`;
      const index = this.#inPart(names, local, "x", isSigned);
      return this.#words(names, lead, index);
    }
    const last = `wholex$${name} * wholey$${name} * wholez$${name} - 1`;
    const flat = this.#clamped(position, this.#hold(this.perCall, `count ${name}`, "last", last), isSigned);
    const line = this.#writer.share(`floor(${flat} / wholex$${name})`);
    const place = [
      `${flat} - wholex$${name} * ${line}`,
      `${line} % wholey$${name}`,
      `floor(${line} / wholey$${name})`,
    ];
    return this.#inGrid(
      names,
      place.map((code) => this.#writer.share(code)),
      [true, true, true],
    );
  }

  /** The element of a row at the y or z of the kernel's own place. */
  #perRowWords(names: BlockNames, position: Code): Code[] {
    const { name, lead, shape } = names;
    const local = shape.isFromStart ? position : `(${position} - fromx$${name})`;
    const clamped = `max(0, min(${local}, lastx$${name}))`;
    const index = this.#hold(this.perRow, `index ${name} ${position}`, "i", clamped);
    return this.#words(names, lead, index).map((word) =>
      this.#hold(this.perRow, `word ${word}`, "word", word),
    );
  }

  /** The number of a map's entry, moved into its arity. */
  #entry(arity: number, entry: Code, range: IndexRange | undefined, isSigned: boolean): Code {
    const number = numberIn(entry);
    if (number !== undefined) return numberCode(Math.max(0, Math.min(number, arity - 1)));
    if (range && range[0] >= 0 && range[1] < arity) return entry;
    return this.#clamped(entry, String(arity - 1), isSigned);
  }

  #mapped(
    names: BlockNames,
    { map, arity }: { readonly map: string; readonly arity: number },
    k: Code,
  ): Code[] {
    const mapNames = this.#names.get(map)!;
    const row = product("element", String(arity));
    const [named] =
      mapNames.shape.kind === "row"
        ? this.#words(
            mapNames,
            this.#flatBase(mapNames),
            row === "element" && k === "0" ? row : `(${sum(row, k)})`,
          )
        : this.#flat(mapNames, sum(row, k), false);
    return this.#flat(names, this.#writer.share(named), false);
  }
}
