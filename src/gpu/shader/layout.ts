const scalars = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;
const ofSuffix = { f: "f32", i: "i32", u: "u32" } as const;

type Scalar = keyof typeof scalars;

/** Where a member lies in its struct, in words of four bytes. */
interface Member {
  readonly scalar: Scalar;
  readonly offset: number;
  /** Words from an element of an array to the next; the words of a member that is none. */
  readonly stride: number;
}

/** A type's size and alignment (WGSL, "Alignment and Size"), in words. */
interface Extent extends Omit<Member, "offset"> {
  readonly size: number;
  readonly align: number;
}

const roundUp = (value: number, multiple: number) => Math.ceil(value / multiple) * multiple;

/** Scalars, vectors of them and arrays of vec4, which is all that our uniforms are made of. */
function extentOf(type: string): Extent {
  if (type in scalars) return { scalar: type as Scalar, stride: 1, size: 1, align: 1 };
  const vector = /^vec([234])([fiu])$/.exec(type);
  if (vector) {
    const size = Number(vector[1]);
    const scalar = ofSuffix[vector[2] as keyof typeof ofSuffix];
    return { scalar, stride: size, size, align: size === 2 ? 2 : 4 };
  }
  const array = /^array<vec4([fiu]), (\d+)>$/.exec(type);
  if (array) {
    const scalar = ofSuffix[array[1] as keyof typeof ofSuffix];
    return { scalar, stride: 4, size: 4 * Number(array[2]), align: 4 };
  }
  throw new TypeError(`A uniform's member is of type ${type}, whose layout is not known here.`);
}

type UniformValue = number | readonly number[] | readonly (readonly number[])[];

/** What a uniform's members are set to, by their names. */
export type UniformValues<Values> = { readonly [Name in keyof Values]: UniformValue };

/** The bytes of a uniform, with a setter by the names of its members. */
export class UniformView<Values extends UniformValues<Values> = { readonly [name: string]: UniformValue }> {
  readonly arrayBuffer: ArrayBuffer;
  readonly #members = new Map<string, Member>();
  readonly #words: Readonly<Record<Scalar, Float32Array | Int32Array | Uint32Array>>;

  /** `code` declares the uniform `name` and its struct. */
  constructor(code: string, name: string) {
    const plain = code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const struct = new RegExp(`var<uniform> ${name}: (\\w+);`).exec(plain)?.[1];
    const body = new RegExp(`struct ${struct} \\{([^}]*)\\}`).exec(plain)?.[1];
    if (body === undefined) throw new TypeError(`The shader declares no uniform ${name} of a struct.`);
    let end = 0;
    let align = 1;
    for (const [, member, type] of body.matchAll(/(\w+): (\w+(?:<[^>]*>)?)/g)) {
      const extent = extentOf(type);
      const offset = roundUp(end, extent.align);
      this.#members.set(member, { scalar: extent.scalar, stride: extent.stride, offset });
      end = offset + extent.size;
      align = Math.max(align, extent.align);
    }
    this.arrayBuffer = new ArrayBuffer(4 * roundUp(end, align));
    this.#words = {
      f32: new Float32Array(this.arrayBuffer),
      i32: new Int32Array(this.arrayBuffer),
      u32: new Uint32Array(this.arrayBuffer),
    };
  }

  /** Leaves members that are not named, or undefined, as they are. */
  set(values: Partial<Values>): void {
    for (const name in values) {
      const value: UniformValue | undefined = values[name];
      const member = this.#members.get(name);
      if (!member || value === undefined) continue;
      const words = this.#words[member.scalar];
      if (typeof value === "number") words[member.offset] = value;
      else
        value.forEach((part, k) => {
          if (typeof part === "number") words[member.offset + k] = part;
          else words.set(part, member.offset + k * member.stride);
        });
    }
  }
}
