import type { Value } from "../../cluster/communicator/communicator.ts";
import { isSurface, type Layer } from "../../core/layers.ts";
import { parseCssColor } from "../../viewer/css-color.ts";
import type { RankDrawing } from "../api.ts";
import { shapeField } from "../layers/shape-surface.ts";
import type { DrawnByRanks } from "./draw-job.ts";
import type { DrawRequest } from "./draw-request.ts";
import { drawPacked, emptyDrawing } from "./packed-drawing.ts";
import type { PictureView } from "./part-painter.ts";
import type { RankEngine } from "./rank-engine.ts";
import { surfaceRequest } from "./surface-job.ts";
import type { WantedOfRanks } from "./team.ts";

/** What is asked for where no picture is: it has to be one. */
const anyView: PictureView = {
  camera: { azimuth: 0, elevation: 0, distance: 1, target: [0, 0, 0], center: [0, 0] },
  viewport: { width: 1, height: 1, pixelRatio: 1 },
};

/** What the ranks are asked for a layer over what is open in the page. */
export function drawRequest(
  engine: Pick<RankEngine, "described">,
  { shape, colorBy, clip, paint }: Layer,
  { view, isMoving = false, asks = "surface" }: WantedOfRanks,
  { tints, method }: RankDrawing,
): DrawRequest {
  if (!isSurface(shape)) throw new TypeError("Ranks make surfaces alone.");
  const { source, blocks } = engine.described("");
  const field = shapeField(shape);
  const surface = surfaceRequest(source, shape, {
    text: field === undefined ? undefined : engine.described(field).text,
    colorBy: colorBy === undefined ? undefined : engine.described(colorBy).text,
    clip,
    blocks: blocks ?? undefined,
  });
  return {
    source,
    surface,
    paint: plain({ ...paint, solid: hexColor(paint.solid), nanColor: hexColor(paint.nanColor) }),
    view: plain(view ?? anyView),
    method: view ? method : "host",
    isMoving,
    asks,
    tints,
    isForwarded: source.kind === "group",
  };
}

/** A CSS colour as "#3080d0", which ranks without a canvas read, too. */
function hexColor(css: string): string {
  const word = parseCssColor(css).reduce((bytes, part) => 256 * bytes + Math.round(255 * part), 0);
  return `#${word.toString(16).padStart(6, "0")}`;
}

/** What JSON has of it. */
const plain = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T & Value;

/** The same with its picture as it was drawn. */
export function unpacked({ made, picture }: DrawnByRanks): DrawnByRanks {
  if (!picture?.packed) return { made, picture };
  const drawing = emptyDrawing(picture);
  drawPacked(drawing, picture.packed);
  return { made, picture: { ...picture, packed: undefined, drawing } };
}
