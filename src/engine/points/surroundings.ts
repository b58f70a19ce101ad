import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import { neighborDensity } from "../../algorithms/kd-tree/density.ts";
import { type Found, nearestPoints, pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";
import type { KdTree } from "../../core/kd-tree/kd-tree.ts";
import { type PointColumn, type PointSet, pointBounds } from "../../core/point-set.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { namesRead } from "../../lang/expression/results.ts";

/** Which points count as a place's neighbours: so many of the nearest, or those within a distance, or both. */
export interface Neighborhood {
  readonly k?: number;
  readonly radius?: number;
}

/** The columns of what is around each point. */
export const surroundingNames = ["density", "neighbors", "distance"] as const;

/** Those that a text reads and the points do not have. Throws SyntaxError. */
export function surroundingsRead({ columns }: PointSet, text: string): readonly string[] {
  const read = namesRead(text);
  return surroundingNames.filter((name) => read.has(name) && !columns.some((column) => column.name === name));
}

/** A tree of points in host memory, and the place to which its coordinates are relative. */
export interface PlacedTree {
  readonly tree: KdTree;
  readonly center: readonly number[];
}

/** Coordinates are f32, relative to the middle of the points' bounds. */
export async function placedTree(points: PointSet): Promise<PlacedTree> {
  const { dimensions, positions } = points;
  const bounds = pointBounds(points);
  const center = [0, 1, 2].map((axis) => 0.5 * bounds[2 * axis] + 0.5 * bounds[2 * axis + 1]);
  const coordinates = new Float32Array((positions.length / 3) * dimensions);
  for (let i = 0; i < coordinates.length; i++) {
    const axis = i % dimensions;
    coordinates[i] = positions[3 * Math.floor(i / dimensions) + axis] - center[axis];
  }
  return { tree: await buildKdTree(createCpuPrimitives(), coordinates, dimensions), center };
}

/** The neighbours of a position in physical units, the nearest first. Throws BadArgument. */
export function neighborsAt(
  { tree, center }: PlacedTree,
  position: ArrayLike<number>,
  hood: Neighborhood,
): Found {
  const place = Array.from({ length: tree.dimensions }, (_, axis) => position[axis] - center[axis]);
  return neighborsIn(tree, place, hood);
}

/** The density of those that `neighborsAt` has found, by their squared distances. */
export const densityOf = ({ dimensions }: PointSet, squares: Float64Array, hood: Neighborhood): number =>
  neighborDensity(dimensions, squares.length, squares[squares.length - 1], hood);

function neighborsIn(tree: KdTree, place: ArrayLike<number>, { k, radius }: Neighborhood): Found {
  if (k === undefined) return pointsWithin(tree, place, radius ?? Number.POSITIVE_INFINITY);
  const found = nearestPoints(tree, place, k);
  if (radius === undefined) return found;
  const outside = found.squares.findIndex((square) => square > radius ** 2);
  const count = outside < 0 ? found.ids.length : outside;
  return { ids: found.ids.subarray(0, count), squares: found.squares.subarray(0, count) };
}

/**
 * Of each point the number of its neighbours, itself left out, the distance of the last of them (NaN where there are none), and
 * their density: their number divided by the volume, in two dimensions the area, of the ball that reaches to the last one, or of the
 * radius where fewer than k are within. Throws BadArgument, Cancelled.
 */
export async function surroundings(
  points: PointSet,
  hood: Neighborhood,
  job: JobContext,
): Promise<readonly PointColumn[]> {
  checkNeighborhood(hood);
  const { tree } = await placedTree(points);
  const { dimensions, ids } = tree;
  const { k, radius } = hood;
  const density = new Float32Array(ids.length);
  const neighbors = new Uint32Array(ids.length);
  const distance = new Float64Array(ids.length);
  for (let node = 0; node < ids.length; node++) {
    if (node % 4096 === 0) {
      job.progress(node / ids.length, "Finding neighbours");
      await yieldToEventLoop();
      checkCancelled(job, "The search for neighbours");
    }
    const place = tree.points.subarray(node * dimensions, (node + 1) * dimensions);
    // A point finds itself, too.
    const found = neighborsIn(tree, place, { k: k === undefined ? undefined : k + 1, radius });
    const count = found.ids.length - 1;
    const last = count === 0 ? Number.NaN : found.squares[count];
    density[ids[node]] = neighborDensity(dimensions, count, last, hood);
    neighbors[ids[node]] = count;
    distance[ids[node]] = Math.sqrt(last);
  }
  return [
    { name: "density", components: 1, dtype: "f32", data: density },
    { name: "neighbors", components: 1, dtype: "u32", data: neighbors },
    { name: "distance", components: 1, dtype: "f64", data: distance },
  ];
}

/** Throws BadArgument. */
export function checkNeighborhood({ k, radius }: Neighborhood): void {
  const isCount = k === undefined || (Number.isInteger(k) && k >= 1);
  const isDistance = radius === undefined || radius >= 0;
  if (isCount && isDistance) return;
  throw badArgument(
    `${k === undefined ? "All" : k} neighbours ${radius === undefined ? "at any distance" : `within ${radius}`} were asked for.`,
    "Ask for a whole number of them, for those within a radius of 0 or more, or for both.",
  );
}
