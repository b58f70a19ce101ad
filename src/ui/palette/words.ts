/** What people call things who come from ParaView, VisIt or other programs. */
import type { LayerKind } from "../../engine/layers/titles.ts";

export const wordsOfKind: Readonly<Record<LayerKind, string>> = {
  isosurface: "contour level set marching cubes isocontour",
  plane: "clip crop cut half",
  sphere: "clip ball cut",
  expression: "clip by scalar cut region isovolume",
  slice: "cross-section section plane orthogonal pseudocolor",
  threshold: "region isovolume blocks",
  points: "glyph scatter gaussian particles",
  image: "slice pseudocolor picture heat map",
};

const wordsOfNames: readonly (readonly [name: RegExp, words: string])[] = [
  [/^expression$/i, "calculator python programmable formula derived variable"],
  [/^compute$/i, "apply calculator run evaluate"],
  [/^(save|copy) .*picture/i, "screenshot image png"],
  [/mesh/i, "extract surface stl save data export"],
  [/field to export|export field/i, "save data csv"],
  [/colou?r map/i, "lookup table transfer function palette"],
  [/colou?r by/i, "pseudocolor coloring"],
  [/range/i, "rescale minimum maximum"],
  [/^reset view|home/i, "fit zoom camera all"],
  [/^open data set/i, "load file import database"],
  [/^samples/i, "example wavelet sources data"],
  [/^simulate/i, "lattice ising model source"],
  [/^share/i, "connect client server parallel ranks cluster"],
  [/view/i, "state session link bookmark"],
  [/theme/i, "dark light appearance"],
  [/inspect/i, "pipeline browser network"],
  [/probe/i, "pick query hover values"],
  [/opacity|translucent/i, "transparency alpha"],
];

/** Other words for what the page calls so. */
export const wordsOfName = (name: string): string =>
  wordsOfNames.flatMap(([pattern, words]) => (pattern.test(name) ? [words] : [])).join(" ");
