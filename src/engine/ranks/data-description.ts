/** What ranks tell each other of data. */
import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type DType, dtypes } from "../../core/dtype.ts";
import { type Centering, type Grid, nodeCoordinates, type Triple, validateGrid } from "../../core/grid.ts";
import type { StoredData } from "../../data/stored.ts";

/** What every rank knows of a field. */
export interface FieldDescription {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dtype: DType;
}

/** What every rank knows of data. */
export interface DataDescription {
  readonly name: string;
  /** The whole. */
  readonly grid: Grid;
  readonly fields: readonly FieldDescription[];
}

/** What a rank sends the others about data that it has opened. */
export const descriptionOf = ({ name, grid, fields }: StoredData): Value => ({
  name,
  axes: [0, 1, 2].map((axis) => [...nodeCoordinates(grid, axis)]),
  ...(grid.kind === "uniform" ? { origin: grid.origin, spacing: grid.spacing } : {}),
  fields: fields.map(({ name, centering, components, dtype }) => ({ name, centering, components, dtype })),
});

/** Throws BadMessage for what no rank of this program says. */
export function describedIn(value: Value): DataDescription {
  const { name, axes, origin, spacing, fields } = value as Readonly<Record<string, Value>>;
  if (typeof name !== "string" || !Array.isArray(axes) || axes.length !== 3 || !Array.isArray(fields)) {
    throw badMessage("data without a name, axes or fields");
  }
  const [x, y, z] = axes.map((axis) => Float64Array.from(numbersIn(axis)));
  const dims: Triple = [x.length, y.length, z.length];
  const grid: Grid = origin
    ? { kind: "uniform", dims, origin: tripleIn(origin), spacing: tripleIn(spacing) }
    : { kind: "rectilinear", dims, axes: [x, y, z] };
  validateGrid(grid, name);
  return { name, grid, fields: fields.map(fieldIn) };
}

function fieldIn(value: Value): FieldDescription {
  const { name, centering, components, dtype } = value as Readonly<Record<string, Value>>;
  const isKnown =
    typeof name === "string" &&
    (centering === "node" || centering === "cell") &&
    Number.isInteger(components) &&
    Number(components) > 0 &&
    dtypes.includes(dtype as DType);
  if (!isKnown) throw badMessage("an invalid field");
  return { name, centering, components: Number(components), dtype: dtype as DType };
}

function numbersIn(value: Value): number[] {
  if (!Array.isArray(value) || !value.every((x) => typeof x === "number"))
    throw badMessage("invalid axes of a grid");
  return value as number[];
}

const tripleIn = (value: Value): Triple => tripleOf(numbersIn(value));

const tripleOf = ([x, y, z]: readonly number[]): Triple => [x, y, z];
