import type { DataSet } from "../../../core/field.ts";
import { type Grid, gridCenter, nodeCoordinates, type Triple } from "../../../core/grid.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import type { Plane, SurfaceShape } from "../../../core/layers.ts";
import type { PointSet } from "../../../core/point-set.ts";
import {
  dataSetOf,
  randomGrid,
  sampledField,
  uniformGrid,
} from "../../../lang/expression/execute/testing/data-sets.ts";
import { ExpressionWriter } from "../../../lang/expression/execute/testing/random-expressions.ts";
import { isosurfaceOf } from "./ranked-surfaces.ts";
import { fieldTask, neighborsTask, statisticsTask, surfaceTask, type Task } from "./recovery-tasks.ts";

type Random = () => number;

const below = (random: Random, count: number) => Math.floor(random() * count);
const oneOf = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)];

/** A job of any kind on small data: the same random numbers make the same. */
export function randomTask(random: Random): Task {
  const kind = random();
  // They send three times as many messages as the others.
  if (kind < 0.1) return randomNeighbors(random);
  const data = randomDataSet(random);
  const writer = new ExpressionWriter(random, {
    scalars: ["f"],
    vectors: ["u"],
    cells: ["c"],
    step: 0.05,
  });
  if (kind < 0.35) return statisticsTask(data, writer.scalar(3).text);
  if (kind < 0.55) return fieldTask(data, `r = ${writer.scalar(3).text} + f`);
  return randomSurface(random, data, writer);
}

function randomDataSet(random: Random): DataSet {
  const dims: Triple = [2 + below(random, 4), 2 + below(random, 4), 2 + below(random, 9)];
  const grid: Grid =
    random() < 0.3 ? uniformGrid(dims, 0.7) : randomGrid(dims, below(random, 1000), [-1, 2, 0.5]);
  const [a, b] = [5 + 9 * random(), 9 * random()];
  return dataSetOf(
    grid,
    sampledField(grid, "f", "node", (x, y, z) => Math.sin(a * z + b * x) * Math.cos(b * y)),
    sampledField(grid, "u", "node", (x, y, z) => [Math.sin(a * z), Math.cos(b * x) * y, Math.sin(x - a * z)]),
    sampledField(grid, "c", "cell", (x, y, z) => Math.cos(a * z) * x + y),
  );
}

function randomNeighbors(random: Random): Task {
  const dimensions = random() < 0.5 ? 2 : 3;
  const count = 1 + below(random, 24);
  const coordinates = pointsOf(oneOf(random, Object.keys(shapes)), count, dimensions, below(random, 1000));
  const positions = new Float64Array(3 * count);
  for (const [k, x] of coordinates.entries())
    positions[3 * Math.floor(k / dimensions) + (k % dimensions)] = x;
  const data: PointSet = { name: "points", dimensions, positions, columns: [], notes: [] };
  const k = 1 + below(random, 6);
  const radius = 2 * random();
  return neighborsTask(data, oneOf(random, [{ k }, { radius }, { k, radius }]));
}

function randomSurface(random: Random, data: DataSet, writer: ExpressionWriter): Task {
  const shape = randomShape(random, data.grid, writer);
  const isTrilinear = shape.kind === "isosurface" && shape.topology === "trilinear";
  const plane = random() < 0.3 ? randomPlane(random, data.grid) : undefined;
  return surfaceTask(data, {
    shape,
    clip: plane,
    form: random() < 0.3 && !isTrilinear ? "distributed" : "manual",
    ...(random() < 0.5 ? { colorBy: `${writer.scalar(2).text} + f` } : {}),
  });
}

function randomPlane(random: Random, grid: Grid): Plane {
  const [x, y, z] = gridCenter(grid);
  return {
    origin: [x + 0.1 * random(), y, z],
    normal: [random() - 0.5, random() - 0.5, 0.1 + random()],
  };
}

function randomShape(random: Random, grid: Grid, writer: ExpressionWriter): SurfaceShape {
  const text = `${writer.scalar(2).text} + f`;
  const value = random() - 0.5;
  const isosurface = isosurfaceOf(text, value, ...(random() < 0.3 ? [value + 0.3] : []));
  const axis = below(random, 3) as 0 | 1 | 2;
  const along = nodeCoordinates(grid, axis);
  const position =
    random() < 0.5
      ? along[below(random, along.length)]
      : along[0] + random() * (along[along.length - 1] - along[0]);
  return oneOf<SurfaceShape>(random, [
    isosurface,
    { ...isosurface, normals: "flat" } as SurfaceShape,
    { ...isosurface, topology: "trilinear" } as SurfaceShape,
    { kind: "cut", by: { kind: "plane", plane: randomPlane(random, grid) } },
    { kind: "cut", by: { kind: "sphere", center: gridCenter(grid), radius: 0.05 + 0.3 * random() } },
    { kind: "cut", by: { kind: "expression", text, value } },
    { kind: "slice", axis, position },
    { kind: "threshold", field: text, range: [value, value + random()] },
  ]);
}
