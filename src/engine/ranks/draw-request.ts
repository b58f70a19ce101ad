import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { LayerPaint } from "../../core/layers.ts";
import { pixelsOf } from "../../core/projection.ts";
import { readPaint } from "../../core/read-layer.ts";
import { boolean, number, oneOf, pair, type Reader, record, that, triple } from "../../core/reading.ts";
import type { CameraState, Viewport } from "../../core/view.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { type DrawingMethod, drawingMethods } from "./drawing-choice.ts";
import { type DrawingStep, drawingSteps } from "./drawing-step.ts";
import type { PictureView } from "./part-painter.ts";
import { type SurfaceJobRequest, surfaceJob, valid } from "./surface-job.ts";

/** What a host asks its ranks for to show a layer: a picture of a surface, or the surface where they are to choose. */
export interface DrawRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  readonly surface: SurfaceJobRequest;
  readonly paint: LayerPaint & Value;
  /** The host's. */
  readonly view: PictureView & Value;
  /** The picture is smaller, because another one is about to follow. */
  readonly isMoving: boolean;
  readonly method: DrawingMethod;
  readonly asks: DrawingStep;
  /** Each rank's part has a colour of its own. */
  readonly tints: boolean;
  /** The picture goes on from rank 0, packed. */
  readonly isForwarded: boolean;
}

/** Of a picture, which is as large as the largest that a host saves of a large screen. */
const maxPixels = 2 ** 27;

const positive = that(number, "a number above 0", (value) => value > 0);

const readCamera: Reader<CameraState> = record<CameraState>({
  azimuth: number,
  elevation: number,
  distance: positive,
  target: triple,
  center: pair,
});

const readViewport: Reader<Viewport> = that(
  record<Viewport>({ width: positive, height: positive, pixelRatio: positive }),
  "a size of a picture",
  (viewport) => {
    const { width, height } = pixelsOf(viewport);
    return width * height <= maxPixels;
  },
);

/** Ranks need no canvas to read colours as "#3080d0". */
const isHex = (color: string) => /^#[\da-f]{6}$/.test(color);

const readHexPaint = that(
  readPaint,
  "a paint with colours as #3080d0",
  ({ solid, nanColor }) => isHex(solid) && isHex(nanColor),
);

const readView: Reader<PictureView> = record<PictureView>({ camera: readCamera, viewport: readViewport });

/** Throws BadMessage for anything else. */
export function parseDrawRequest(value: Value): DrawRequest {
  const request = (value ?? {}) as Readonly<Record<string, Value>>;
  const source = parseDataSource(request.source);
  // A group draws its own file, whatever source its page names.
  const surface = surfaceJob.parse({ ...(request.surface as object), source });
  if (surface.form !== "manual") throw badMessage("a picture of a distributed surface");
  return {
    source,
    surface,
    paint: valid(readHexPaint, request.paint, "paint"),
    view: valid(readView, request.view, "view"),
    isMoving: valid(boolean, request.isMoving, "isMoving"),
    method: valid(oneOf(...drawingMethods), request.method, "method"),
    asks: valid(oneOf(...drawingSteps), request.asks, "asks"),
    tints: valid(boolean, request.tints, "tints"),
    isForwarded: valid(boolean, request.isForwarded, "isForwarded"),
  };
}

/** What is the same for all shapes of a layer whose picture shows the same triangles. */
export const surfaceKey = ({ shape, clip }: SurfaceJobRequest): string => JSON.stringify([shape, clip]);
