import { dtypes } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { RawOptions } from "../../data/raw/describe.ts";
import { choiceOption, numberOption, numbersOption } from "../command-line/arguments.ts";

/** The options of every command that reads a file: what describes bare numbers. */
export const rawOptions = {
  dims: {
    type: "string",
    help: "NX,NY,NZ: FILE holds bare numbers of so many points, x fastest; with --type",
  },
  type: { type: "string", help: `Their type, with --dims: ${dtypes.join(", ")}` },
  "byte-order": { type: "string", help: "Of bare numbers: little or big (little)" },
  components: { type: "string", help: "Bare numbers of each point, one after the other (1)" },
  header: { type: "string", help: "Bytes before the first of the bare numbers (0)" },
  spacing: { type: "string", help: "DX,DY,DZ: between the points of bare numbers (1,1,1)" },
  origin: { type: "string", help: "X,Y,Z: of the first point of bare numbers (0,0,0)" },
} as const;

export const rawUsage =
  "[--dims NX,NY,NZ --type TYPE [--byte-order little|big] [--components N] [--header BYTES] " +
  "[--spacing DX,DY,DZ] [--origin X,Y,Z]]";

type Given = { readonly [Name in keyof typeof rawOptions]?: string };

/** The description that the options give; undefined where they give none. Throws Usage. */
export function wantedRaw(given: Given): RawOptions | undefined {
  const { dims, type } = given;
  const names = Object.keys(rawOptions) as readonly (keyof typeof rawOptions)[];
  const [first] = names.filter((name) => given[name] !== undefined);
  if (!first) return undefined;
  if (dims === undefined || type === undefined) {
    throw new CrinkleError({
      tag: "Usage",
      problem: `--${first} is given without ${dims === undefined ? "--dims" : "--type"}.`,
      remedy: "Bare numbers need both --dims and --type.",
    });
  }
  return {
    dims: triple("dims", dims),
    dtype: choiceOption("type", type, dtypes),
    byteOrder: choiceOption("byte-order", given["byte-order"] ?? "little", ["little", "big"]),
    components: numberOption("components", given.components ?? "1"),
    headerBytes: numberOption("header", given.header ?? "0"),
    spacing: triple("spacing", given.spacing ?? "1,1,1"),
    origin: triple("origin", given.origin ?? "0,0,0"),
  };
}

function triple(name: keyof typeof rawOptions, text: string): RawOptions["dims"] {
  const [x, y, z] = numbersOption(name, text, 3);
  return [x, y, z];
}
