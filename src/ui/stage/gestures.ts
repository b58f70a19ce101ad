import type { ViewDirection } from "../../engine/api.ts";

/** The camera's moves, in CSS pixels. */
export interface CameraDeeds {
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;
  /** Go to the previous camera at rest, and forward again. */
  back(): void;
  forward(): void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Called for a pointer that does not drag, in CSS pixels of the view. */
export interface PointDeeds {
  hover(place: Point): void;
  leave(): void;
  pick(place: Point): void;
}

/** While it is wanted, the primary button or one finger draws instead of orbiting and picking, in CSS pixels of the view. */
export interface StrokeDeeds {
  isWanted(): boolean;
  stroke(place: Point): void;
}

/** A press is a click if it moves no farther and lasts no longer than this. */
const clickPixels = 4;
const clickMs = 600;

/**
 * Orbits by the primary button or one finger; pans by the others, Shift or two fingers; zooms by wheel or pinch. A click
 * picks, and a pointer that moves without a button hovers.
 */
export function attachGestures(
  element: HTMLElement,
  camera: CameraDeeds,
  points: PointDeeds,
  strokes: StrokeDeeds = noStrokes,
): void {
  const pointers = new Map<number, Point>();
  let pans = false;
  let draws = false;
  /** Where and when the only pointer was pressed; undefined once it can no longer become a click. */
  let pressed: (Point & { readonly at: number }) | undefined;

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
    pans = event.button !== 0 || event.shiftKey || event.metaKey;
    draws = !pans && pointers.size === 1 && strokes.isWanted();
    pressed = pans || draws || pointers.size > 1 ? undefined : { ...pointOf(event), at: event.timeStamp };
    if (draws) strokes.stroke(placeOf(event));
    points.leave();
  });
  element.addEventListener("pointermove", (event) => {
    const former = pointers.get(event.pointerId);
    const latest = pointOf(event);
    if (!former) {
      if (event.pointerType !== "touch") points.hover(placeOf(event));
      return;
    }
    if (pressed && Math.hypot(latest.x - pressed.x, latest.y - pressed.y) > clickPixels) pressed = undefined;
    if (pointers.size === 2) {
      const other = otherPointer(pointers, event.pointerId);
      const { dx, dy, factor } = pinchMotion(former, latest, other);
      camera.pan(dx, dy);
      if (factor !== 1) camera.zoom(factor);
    } else if (pointers.size === 1) {
      if (draws) strokes.stroke(placeOf(event));
      else if (pans) camera.pan(latest.x - former.x, latest.y - former.y);
      else camera.orbit(latest.x - former.x, latest.y - former.y);
    }
    pointers.set(event.pointerId, latest);
  });
  element.addEventListener("pointerup", (event) => {
    if (pressed && event.timeStamp - pressed.at < clickMs) points.pick(placeOf(event));
    pressed = undefined;
  });
  element.addEventListener("pointerleave", () => points.leave());
  for (const kind of ["pointerup", "pointercancel"] as const) {
    element.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      points.leave();
      camera.zoom(wheelFactor(event));
    },
    { passive: false },
  );
  element.addEventListener("keydown", (event) => {
    const action = event.defaultPrevented ? undefined : keyAction(event);
    if (!action) return;
    event.preventDefault();
    points.leave();
    action(camera);
  });
}

const noStrokes: StrokeDeeds = { isWanted: () => false, stroke: () => {} };

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY };
}

function placeOf({ offsetX, offsetY }: PointerEvent): Point {
  return { x: offsetX, y: offsetY };
}

function otherPointer(pointers: ReadonlyMap<number, Point>, id: number): Point {
  for (const [other, point] of pointers) if (other !== id) return point;
  throw new RangeError("There is no other pointer.");
}

/** Handles the move of one of two fingers: their middle moves half as far, and their distance changes. */
export function pinchMotion(
  former: Point,
  latest: Point,
  other: Point,
): { dx: number; dy: number; factor: number } {
  const before = Math.hypot(former.x - other.x, former.y - other.y);
  const after = Math.hypot(latest.x - other.x, latest.y - other.y);
  return {
    dx: (latest.x - former.x) / 2,
    dy: (latest.y - former.y) / 2,
    factor: before > 0 && after > 0 ? after / before : 1,
  };
}

const pixelsPerLine = 16;
const pixelsPerPage = 400;

/** A notch of a wheel (about 100 px) is a factor of 1.16; a trackpad's pinch comes as Ctrl and small steps. */
export function wheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">): number {
  const pixels = deltaY * (deltaMode === 1 ? pixelsPerLine : deltaMode === 2 ? pixelsPerPage : 1);
  const clamped = Math.max(-pixelsPerPage, Math.min(pixelsPerPage, pixels));
  return Math.exp(-clamped * (ctrlKey ? 0.01 : 0.0015));
}

type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Pixels that one press of an arrow key moves. */
const arrowPixels = 24;
const keyZoom = 1.15;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The camera's action for a key; undefined for other keys. */
export function keyAction({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: KeyPress): ((camera: CameraDeeds) => void) | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const arrow = Object.hasOwn(arrows, key) && arrows[key];
  if (arrow) {
    const move = shiftKey ? "pan" : "orbit";
    return (camera) => camera[move](arrow.x * arrowPixels, arrow.y * arrowPixels);
  }
  switch (key.toLowerCase()) {
    case "+":
    case "=":
      return (camera) => camera.zoom(keyZoom);
    case "-":
    case "_":
      return (camera) => camera.zoom(1 / keyZoom);
    case "b":
      return (camera) => camera.back();
    case "f":
      return (camera) => camera.forward();
    case "r":
      return (camera) => camera.resetView();
    case "x":
    case "y":
    case "z": {
      const direction = `${shiftKey ? "-" : "+"}${key.toLowerCase()}` as ViewDirection;
      return (camera) => camera.resetView(direction);
    }
    default:
      return undefined;
  }
}
