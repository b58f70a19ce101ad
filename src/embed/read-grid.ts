import { CrinkleError } from "../core/errors.ts";
import { formatCount } from "../core/format.ts";
import { type Grid, nodeCount, type Triple, validateGrid } from "../core/grid.ts";
import { badArgument, requireObject, shown } from "./refusal.ts";

const maxNodes = 2 ** 32 - 1;

/** The grid that a host program describes. Throws BadArgument, and TooLarge beyond 2³² − 1 nodes. */
export function readGrid(value: unknown): Grid {
  const { dims, origin, spacing, axes } = requireObject(value, "The grid", [
    "dims",
    "origin",
    "spacing",
    "axes",
  ]);
  const grid =
    axes === undefined
      ? uniform(dims, origin ?? [0, 0, 0], spacing ?? [1, 1, 1])
      : rectilinear(axes, { dims, origin, spacing });
  try {
    validateGrid(grid, "The grid");
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    throw badArgument(error.problem, error.remedy);
  }
  if (nodeCount(grid) > maxNodes) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `The grid has ${formatCount(nodeCount(grid))} nodes; 2³² − 1 can be numbered.`,
      remedy: "Give a part of it.",
    });
  }
  return grid;
}

function uniform(dims: unknown, origin: unknown, spacing: unknown): Grid {
  if (dims === undefined) {
    throw badArgument(
      "The grid has neither dims nor axes.",
      "Give dims: [nx, ny, nz], the nodes along x, y and z.",
    );
  }
  return {
    kind: "uniform",
    dims: triple(dims, "The grid's dims"),
    origin: triple(origin, "The grid's origin"),
    spacing: triple(spacing, "The grid's spacing"),
  };
}

function rectilinear(axes: unknown, others: Readonly<Record<string, unknown>>): Grid {
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) {
      throw badArgument(
        `The grid has both axes and ${name}.`,
        `Axes define the whole grid: leave ${name} out.`,
      );
    }
  }
  if (!Array.isArray(axes) || axes.length !== 3) {
    throw badArgument(
      `The grid's axes are ${shown(axes)}.`,
      "Give three arrays: the coordinates along x, y and z.",
    );
  }
  const [x, y, z] = axes.map((axis, a) => Float64Array.from(numbers(axis, `The grid's ${"xyz"[a]} axis`)));
  return { kind: "rectilinear", dims: [x.length, y.length, z.length], axes: [x, y, z] };
}

function triple(value: unknown, what: string): Triple {
  const found = numbers(value, what);
  if (found.length !== 3) {
    throw badArgument(`${what} has ${found.length} numbers.`, "It needs three, for x, y and z.");
  }
  return [found[0], found[1], found[2]];
}

function numbers(value: unknown, what: string): number[] {
  const isArray = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isArray) throw badArgument(`${what} is ${shown(value)}.`, "Give an array of numbers.");
  return Array.from(value as ArrayLike<unknown>, (one) => {
    if (typeof one === "number" || typeof one === "bigint") return Number(one);
    throw badArgument(`${what} holds ${shown(one)}.`, "Give numbers.");
  });
}
