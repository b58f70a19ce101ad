import { type Bounds, gridCenter, type Triple, type UniformGrid } from "../../core/grid.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Image } from "../../viewer/viewer.ts";
import type { LoadedData } from "../loaded-data.ts";

/** Half the height of a row of nodes, as a part of its length, where its bounds have none. */
const rowHeight = 1 / 32;

/** A grid that an image can show. Throws BadArgument for others. */
export function flatGrid({ dataSet: { name, grid }, points }: LoadedData): UniformGrid {
  if (points)
    throw badArgument(`“${name}” is a set of points, which are no image.`, "Add a layer of points.");
  if (grid.dims.every((n) => n > 1)) {
    throw badArgument(
      `“${name}” has ${grid.dims.join(" × ")} nodes, and an image shows a grid that is flat along an axis.`,
      "Add a slice or a cut.",
    );
  }
  if (grid.kind !== "uniform") {
    throw badArgument(
      `The nodes of “${name}” are not evenly spaced, and an image shows them as texels of one size.`,
      "Resample the data on a uniform grid.",
    );
  }
  return grid;
}

/** The axes that lie in the image: along it, and up. A row of nodes has its bounds' height, or is seen along y. */
function axesOf({ dims }: UniformGrid, bounds: Bounds): readonly [along: number, up: number] {
  const [along = 0, second] = [0, 1, 2].filter((axis) => dims[axis] > 1);
  const others = [0, 1, 2].filter((axis) => axis !== along);
  const high = others.find((axis) => bounds[2 * axis + 1] > bounds[2 * axis]);
  return [along, second ?? high ?? others[1]];
}

/** Where the texels of a flat grid's nodes lie within its bounds: each position has the colour of the nearest node. */
export function placeImage(grid: UniformGrid, bounds: Bounds): Omit<Image, "values"> {
  const { dims, origin, spacing } = grid;
  const center = gridCenter(grid);
  const [along, up] = axesOf(grid, bounds);
  const [low, high] = [bounds[2 * along], bounds[2 * along + 1]];
  const isRow = dims[up] === 1;
  const height = bounds[2 * up] === bounds[2 * up + 1] ? rowHeight * (high - low) : 0;
  const [bottom, top] = [bounds[2 * up] - height, bounds[2 * up + 1] + height];
  const at = (x: number, y: number) =>
    [0, 1, 2].map((axis) => (axis === along ? x : axis === up ? y : center[axis]) - center[axis]);
  const triple = ([x, y, z]: readonly number[]): Triple => [x, y, z];
  const side = (axis: number, length: number) => triple([0, 1, 2].map((k) => (k === axis ? length : 0)));
  const nodes = (axis: number, length: number) => length / spacing[axis];
  return {
    columns: dims[along],
    rows: dims[up],
    corner: triple(at(low, bottom)),
    along: side(along, high - low),
    up: side(up, top - bottom),
    across: [nodes(along, high - low), isRow ? 0 : nodes(up, top - bottom)],
    first: [nodes(along, low - origin[along]) + 0.5, isRow ? 0.5 : nodes(up, bottom - origin[up]) + 0.5],
  };
}

/** The node nearest to a position relative to the grid's centre, in physical units. */
export function nearestNode(grid: UniformGrid, position: Triple): Triple {
  const { dims, origin, spacing } = grid;
  const center = gridCenter(grid);
  const [x, y, z] = [0, 1, 2].map((axis) => {
    const place = (position[axis] + center[axis] - origin[axis]) / spacing[axis];
    const node = Math.min(dims[axis] - 1, Math.max(0, Math.round(place)));
    return origin[axis] + (dims[axis] > 1 ? node * spacing[axis] : 0);
  });
  return [x, y, z];
}
