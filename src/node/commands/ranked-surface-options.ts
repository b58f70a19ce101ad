import type { RankedShape, SurfaceOptions } from "../../embed/ranks.ts";
import { type Arguments, choiceOption, numberOption, usage } from "../command-line/arguments.ts";
import { planeOption, rangeOption, sliceAxes, sphereOption, surfaceOptions } from "./surfaces/extract.ts";

/** The options of a surface that ranks make of an expression's statements. */
export const rankedSurfaceOptions = {
  isosurface: {
    type: "string",
    help: "NAME=VALUE or VALUE, or several VALUE,VALUE: also isosurfaces of the statement NAME, or of the last",
  },
  threshold: {
    type: "string",
    help: "NAME=LOW,HIGH or LOW,HIGH: instead, the outside of the cells whose corners all lie in this closed range",
  },
  cut: {
    type: "string",
    help: "X,Y,Z,NX,NY,NZ, or X,Y,Z,R: instead, a cut by a plane with this normal, or by a sphere",
  },
  slice: { type: "string", help: "x=P, y=P or z=P: instead, the data on a plane across this axis" },
  topology: {
    type: "string",
    help: "table, or trilinear: ambiguous cells get the topology of the trilinear interpolant",
  },
  clip: surfaceOptions.clip,
  "reverse-facets": surfaceOptions["reverse-facets"],
  "color-by": {
    type: "string",
    help: "Expression of a scalar to store, or show as a colour, per vertex of the surface; it may read statements",
  },
  form: {
    type: "string",
    help: "manual: each rank makes its part alone, with ghost layers; or distributed: one algorithm over all ranks (manual)",
  },
} as const;

export const rankedSurfaceUsage =
  "[--isosurface [NAME=]VALUE | --threshold [NAME=]LOW,HIGH | --cut X,Y,Z,NX,NY,NZ | --cut X,Y,Z,R | --slice x=P] " +
  "[--topology table|trilinear] [--clip X,Y,Z,NX,NY,NZ] [--color-by 'EXPRESSION'] [--reverse-facets] [--form manual|distributed]";

type Given = Arguments<typeof rankedSurfaceOptions>["options"];

export interface WantedSurface extends SurfaceOptions {
  readonly shape: RankedShape;
}

const kinds = ["isosurface", "threshold", "cut", "slice"] as const;
const topologies = ["table", "trilinear"] as const;
const forms = ["manual", "distributed"] as const;

/** What the options ask for; undefined where they ask for no surface. Throws Usage. */
export function wantedSurface(given: Given): WantedSurface | undefined {
  const [kind, other] = kinds.filter((each) => given[each] !== undefined);
  if (other) throw usage(`Both --${kind} and --${other} are given.`, "Give one of them.");
  if (!kind) {
    const [option] = (["topology", "clip", "color-by", "reverse-facets", "form"] as const).filter(
      (each) => given[each],
    );
    if (option) throw usage(`--${option} is for a surface.`, `Give --${kinds.join(", or --")}, too.`);
    return undefined;
  }
  const { statement, text } = named(given[kind] ?? "", kind);
  const shape = shapeOf(kind, text, given.topology);
  return {
    shape,
    statement,
    colorBy: given["color-by"],
    clip: given.clip === undefined ? undefined : planeOption("clip", given.clip),
    reverseFacets: given["reverse-facets"],
    form: given.form === undefined ? undefined : choiceOption("form", given.form, forms),
  };
}

/** NAME=REST; a slice and a cut have no statement. */
function named(text: string, kind: (typeof kinds)[number]) {
  const at = kind === "isosurface" || kind === "threshold" ? text.lastIndexOf("=") : -1;
  return { statement: at < 0 ? undefined : text.slice(0, at).trim(), text: text.slice(at + 1) };
}

function shapeOf(kind: (typeof kinds)[number], text: string, topology: string | undefined): RankedShape {
  if (topology !== undefined && kind !== "isosurface")
    throw usage("--topology is for an isosurface.", "Leave it out.");
  if (kind === "isosurface") {
    const isovalues = text.split(",").map((value) => numberOption("isosurface", value));
    return {
      kind,
      isovalues,
      topology: choiceOption("topology", topology ?? "table", topologies),
    };
  }
  if (kind === "threshold") return { kind, range: rangeOption("threshold", text) };
  if (kind === "slice") {
    const [axis, ...position] = text.split("=");
    return {
      kind,
      axis: sliceAxes.indexOf(choiceOption("slice", axis, sliceAxes)),
      position: numberOption("slice", position.join("=")),
    };
  }
  const { length } = text.split(",");
  if (length === 4) return { kind, by: sphereOption("cut", text) };
  if (length === 6) return { kind, by: { kind: "plane", plane: planeOption("cut", text) } };
  throw usage(
    `The option --cut is “${text}”, which is neither 6 numbers of a plane nor 4 of a sphere, separated by commas.`,
  );
}
