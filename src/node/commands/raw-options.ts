import { dtypes } from "../../core/dtype.ts";
import type { Triple } from "../../core/grid.ts";
import { type RawOptions, rawFault } from "../../data/raw/describe.ts";
import { choiceOption, numberOption, numbersOption, usage } from "../command-line/arguments.ts";

/** The options of every command that reads a file: what describes bare numbers. */
export const rawOptions = {
  dims: {
    type: "string",
    help: "NXxNYxNZ: FILE holds bare numbers of so many points, x fastest; with --dtype",
  },
  dtype: { type: "string", help: `Their type, with --dims: ${dtypes.join(", ")}` },
  order: { type: "string", help: "The order of a bare number's bytes: little or big (little)" },
  components: { type: "string", help: "Bare numbers of each point, one after the other (1)" },
  skip: { type: "string", help: "Bytes before the first of the bare numbers (0)" },
  spacing: { type: "string", help: "DX,DY,DZ: between the points of bare numbers (1,1,1)" },
  origin: { type: "string", help: "X,Y,Z: of the first point of bare numbers (0,0,0)" },
} as const;

export const rawUsage =
  "[--dims NXxNYxNZ --dtype TYPE [--order little|big] [--components N] [--skip BYTES] " +
  "[--spacing DX,DY,DZ] [--origin X,Y,Z]]";

type Given = { readonly [Name in keyof typeof rawOptions]?: string };

/** The description that the options give; undefined where they give none. Throws Usage. */
export function wantedRaw(given: Given): RawOptions | undefined {
  const { dims, dtype } = given;
  const names = Object.keys(rawOptions) as readonly (keyof typeof rawOptions)[];
  const [first] = names.filter((name) => given[name] !== undefined);
  if (!first) return undefined;
  if (dims === undefined || dtype === undefined) {
    throw usage(
      `--${first} is given without ${dims === undefined ? "--dims" : "--dtype"}.`,
      "Bare numbers need both, as in --dims 64x64x64 --dtype u8.",
    );
  }
  const raw: RawOptions = {
    dims: dimsOption(dims),
    dtype: choiceOption("dtype", dtype, dtypes),
    byteOrder: choiceOption("order", given.order ?? "little", ["little", "big"]),
    components: numberOption("components", given.components ?? "1"),
    headerBytes: numberOption("skip", given.skip ?? "0"),
    spacing: triple("spacing", given.spacing ?? "1,1,1"),
    origin: triple("origin", given.origin ?? "0,0,0"),
  };
  const fault = rawFault(raw, Number.POSITIVE_INFINITY);
  if (fault) throw usage(fault);
  return raw;
}

/** Points along x, y and z, of which the last ones may be left out. Throws Usage. */
function dimsOption(text: string): Triple {
  const lengths = text.split(/[x×,]/).map((part) => part.trim());
  const remedy = "Write the points along x, y and z as in 64x64x64.";
  const wrong = lengths.find((length) => !/^[1-9]\d*$/.test(length) || !Number.isSafeInteger(Number(length)));
  if (wrong !== undefined)
    throw usage(`The option --dims is “${text}”, where “${wrong}” is not a number of points.`, remedy);
  if (lengths.length > 3)
    throw usage(`The option --dims is “${text}”, which has ${lengths.length} axes.`, remedy);
  const [nx, ny = 1, nz = 1] = lengths.map(Number);
  return [nx, ny, nz];
}

function triple(name: keyof typeof rawOptions, text: string): Triple {
  const [x, y, z] = numbersOption(name, text, 3);
  return [x, y, z];
}
