import type { Bounds, Triple } from "../core/grid.ts";
import { type Matrix4, transformPoint } from "./matrix.ts";
import { niceTicks, powerOfTen, type Ticks } from "./ticks.ts";

/** A box around the origin of the scene, with the physical extents of its axes. */
export interface LabelledBox {
  /** Half extents in scene units; 0 in a flat direction. */
  readonly half: Triple;
  /** Physical extents. */
  readonly bounds: Bounds;
  /** "m"; empty where the unit is unknown. */
  readonly units: string;
}

export interface BoxView {
  /** Scene to clip space. */
  readonly matrix: Matrix4;
  readonly eye: Triple;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The width of a text in CSS pixels. */
  readonly measure: (text: string) => number;
  readonly lineHeight: number;
  /** Rectangles that labels leave free. */
  readonly taken?: readonly ScreenBox[];
}

/** An edge by how many of its two faces look at the eye: none, one (it bounds the box's silhouette) or both. */
export type EdgeKind = "back" | "silhouette" | "front";

export interface BoxEdge {
  readonly axis: number;
  readonly kind: EdgeKind;
  readonly from: Triple;
  readonly to: Triple;
}

/** A rectangle's middle and extents in CSS pixels. */
export interface ScreenBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ScreenLabel extends ScreenBox {
  readonly text: string;
  readonly isTitle: boolean;
}

export interface ScreenTick {
  readonly x: number;
  readonly y: number;
  /** Away from the box, as a unit vector on the screen. */
  readonly outX: number;
  readonly outY: number;
}

export interface BoxLayout {
  readonly edges: readonly BoxEdge[];
  readonly ticks: readonly ScreenTick[];
  readonly labels: readonly ScreenLabel[];
  /** Scene coordinates of each axis' ticks; empty for an axis that is not labelled. */
  readonly tickPositions: readonly (readonly number[])[];
}

export const tickLength = 5;
const labelGap = 4;
const titleGap = 7;
/** Titles are tried at these fractions along an edge until one is free. */
const titlePlaces = [0.5, 0.38, 0.62, 0.25, 0.75] as const;

/** Lays out the styles of the box's edges, and the ticks and labels outside its silhouette. */
export function layoutBox(box: LabelledBox, view: BoxView): BoxLayout {
  const occupied: ScreenBox[] = [...(view.taken ?? [])];
  const edges = boxEdges(box.half, view.eye);
  const ticks: ScreenTick[] = [];
  const labels: ScreenLabel[] = [];
  const tickPositions: number[][] = [[], [], []];
  for (let axis = 0; axis < 3; axis++) {
    const placed = labelledEdge(edges, axis, view);
    if (!placed) continue;
    const physical = [box.bounds[2 * axis], box.bounds[2 * axis + 1]] as const;
    const toScene = (value: number) =>
      box.half[axis] * ((2 * (value - physical[0])) / (physical[1] - physical[0]) - 1);
    const { values, labels: texts, exponent, points } = fitTicks(physical, toScene, placed, view);
    let reach = 0;
    for (const [i, point] of points.entries()) {
      ticks.push({ ...point, outX: placed.outX, outY: placed.outY });
      tickPositions[axis].push(toScene(values[i]));
      const label = outside(texts[i], point, placed, tickLength + labelGap, view, false);
      reach = Math.max(reach, 2 * support(label, placed));
      if (!isFree(label, occupied)) continue;
      labels.push(label);
      occupied.push(label);
    }
    const title = axisTitle(axis, exponent, box.units);
    const distance = tickLength + labelGap + reach + titleGap;
    const titles = titlePlaces.map((t) =>
      outside(title, along(placed, t, view), placed, distance, view, true),
    );
    const shown = titles.find((candidate) => isFree(candidate, occupied)) ?? titles[0];
    labels.push(shown);
    occupied.push(shown);
  }
  return { edges, ticks, labels, tickPositions };
}

/** "x", "x (m)", "x (×10⁻⁹ m)". */
function axisTitle(axis: number, exponent: number, units: string): string {
  const scale = [exponent ? `×${powerOfTen(exponent)}` : "", units].filter(Boolean).join(" ");
  return scale ? `${"xyz"[axis]} (${scale})` : "xyz"[axis];
}

/** The box's edges, each once, without those of length 0. */
function boxEdges(half: Triple, eye: Triple): BoxEdge[] {
  const edges: BoxEdge[] = [];
  const looksAtEye = (axis: number, side: number) => side * eye[axis] > half[axis];
  for (let axis = 0; axis < 3; axis++) {
    if (half[axis] === 0) continue;
    const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const sideB of half[b] === 0 ? [0] : [-1, 1]) {
      for (const sideC of half[c] === 0 ? [0] : [-1, 1]) {
        const from = [0, 0, 0];
        from[axis] = -half[axis];
        from[b] = sideB * half[b];
        from[c] = sideC * half[c];
        const to = from.slice();
        to[axis] = half[axis];
        const seen = Number(looksAtEye(b, sideB)) + Number(looksAtEye(c, sideC));
        const isFlat = sideB === 0 || sideC === 0;
        const kind = isFlat || seen === 1 ? "silhouette" : seen === 2 ? "front" : "back";
        edges.push({ axis, kind, from: from as unknown as Triple, to: to as unknown as Triple });
      }
    }
  }
  return edges;
}

/** An edge on the screen with the direction away from the box. */
interface PlacedEdge {
  readonly edge: BoxEdge;
  readonly length: number;
  readonly outX: number;
  readonly outY: number;
}

interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

/** The lowest of an axis' silhouette edges, or for z the leftmost; undefined if none is visible. */
function labelledEdge(edges: readonly BoxEdge[], axis: number, view: BoxView): PlacedEdge | undefined {
  let best: PlacedEdge | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const middle = project([0, 0, 0], view);
  for (const edge of edges) {
    if (edge.axis !== axis || edge.kind !== "silhouette") continue;
    const a = project(edge.from, view);
    const b = project(edge.to, view);
    if (!a || !b || !middle) continue;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const x = 0.5 * (a.x + b.x);
    const y = 0.5 * (a.y + b.y);
    const score = axis === 2 ? 0.25 * y - x : y - 0.25 * x;
    if (length < 8 || score <= bestScore) continue;
    const normalX = (a.y - b.y) / length;
    const normalY = (b.x - a.x) / length;
    const side = normalX * (x - middle.x) + normalY * (y - middle.y);
    // Lines seen edge-on, and flat boxes, have no side: labels go below and to the left.
    const sign = Math.abs(side) > 0.5 ? Math.sign(side) : Math.sign(normalY - 0.75 * normalX) || 1;
    best = { edge, length, outX: sign * normalX, outY: sign * normalY };
    bestScore = score;
  }
  return best;
}

/** The densest ticks whose labels do not touch. */
function fitTicks(
  [low, high]: readonly [number, number],
  toScene: (value: number) => number,
  placed: PlacedEdge,
  view: BoxView,
): Ticks & { readonly points: readonly ScreenPoint[] } {
  for (let maxCount = Math.min(8, Math.floor(placed.length / 28)); maxCount >= 1; ) {
    const ticks = niceTicks(low, high, maxCount);
    const points = ticks.values.map((value) => onEdge(placed.edge, toScene(value), view));
    const labels = points.map((point, i) => outside(ticks.labels[i], point, placed, 0, view, false));
    if (labels.every((label, i) => i === 0 || !touches(label, labels[i - 1], 8))) return { ...ticks, points };
    maxCount = Math.min(maxCount, ticks.values.length) - 1;
  }
  return { ...niceTicks(low, high, 0), points: [] };
}

function onEdge(edge: BoxEdge, position: number, view: BoxView): ScreenPoint {
  const point = [...edge.from];
  point[edge.axis] = position;
  return project(point, view) ?? { x: Number.NaN, y: Number.NaN };
}

function along({ edge }: PlacedEdge, t: number, view: BoxView): ScreenPoint {
  return onEdge(edge, (2 * t - 1) * edge.to[edge.axis], view);
}

/** Half of the label's extent in the edge's outward direction. */
function support({ width, height }: { width: number; height: number }, { outX, outY }: PlacedEdge): number {
  return 0.5 * (Math.abs(outX) * width + Math.abs(outY) * height);
}

/** A label whose nearest point to the edge is `distance` away from `point`. */
function outside(
  text: string,
  point: ScreenPoint,
  placed: PlacedEdge,
  distance: number,
  view: BoxView,
  isTitle: boolean,
): ScreenLabel {
  const size = { width: view.measure(text), height: view.lineHeight };
  const offset = distance + support(size, placed);
  return {
    text,
    x: point.x + offset * placed.outX,
    y: point.y + offset * placed.outY,
    ...size,
    isTitle,
  };
}

function touches(a: ScreenBox, b: ScreenBox, gap: number): boolean {
  return (
    Math.abs(a.x - b.x) < 0.5 * (a.width + b.width) + gap && Math.abs(a.y - b.y) < 0.5 * (a.height + b.height)
  );
}

function isFree(label: ScreenBox, labels: readonly ScreenBox[]): boolean {
  return !labels.some((other) => touches(label, other, 4));
}

const clip = new Float64Array(4);

/** Undefined for a point behind the eye. */
function project(point: ArrayLike<number>, { matrix, width, height }: BoxView): ScreenPoint | undefined {
  transformPoint(matrix, point[0], point[1], point[2], clip);
  const [x, y, , w] = clip;
  if (w < 1e-4) return undefined;
  return { x: 0.5 * width * (1 + x / w), y: 0.5 * height * (1 - y / w) };
}
