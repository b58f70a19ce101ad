import type { Grid, Triple } from "../../core/grid.ts";
import { unsupported } from "../failure.ts";
import { placeAxes } from "../image-axes.ts";
import { parseCount, parseFinite } from "../text/lines.ts";
import type { NrrdHeader } from "./header.ts";

export interface NrrdGeometry {
  readonly grid: Grid;
  readonly components: number;
  readonly notes: readonly string[];
}

const domainKinds = /^(domain|space|time|\?\?\?|none|unknown)$/i;
const maxComponents = 16;

/** The grid and the number of components that a header describes. */
export function nrrdGeometry(header: NrrdHeader): NrrdGeometry {
  const sizes = readSizes(header);
  const directions = readDirections(header, sizes.length);
  const componentAxis = findComponentAxis(header, sizes, directions);
  const spatial = sizes.map((_, axis) => axis).filter((axis) => axis !== componentAxis);
  if (spatial.length > 3) {
    throw unsupported(
      `“${header.name}” has ${sizes.length} axes of sizes ${sizes.join(", ")}.`,
      "Crinkle reads up to three axes in space, with the components of vectors on the first axis of the file.",
    );
  }
  const notes: string[] = [];
  const dims = [1, 1, 1];
  const origin = [0, 0, 0];
  const spacing = [1, 1, 1];
  spatial.forEach((axis, i) => {
    dims[i] = sizes[axis];
  });
  if (directions) applyDirections(header, spatial, directions, origin, spacing, notes);
  else applySpacings(header, spatial, sizes, origin, spacing);
  return {
    grid: { kind: "uniform", dims: triple(dims), origin: triple(origin), spacing: triple(spacing) },
    components: componentAxis === undefined ? 1 : sizes[componentAxis],
    notes,
  };
}

function readSizes(header: NrrdHeader): number[] {
  const dimension = parseCount(header.required("dimension"));
  const sizes = header.required("sizes").split(/\s+/).map(parseCount);
  if (!dimension || dimension > maxComponents || sizes.length !== dimension || sizes.some((size) => !size)) {
    throw header.bad(
      "sizes",
      `sizes “${header.text("sizes")}” should be ${header.text("dimension")} positive whole numbers, as the dimension says.`,
    );
  }
  return sizes as number[];
}

/** One vector per axis, undefined for `none`; undefined if the header has no space directions. */
function readDirections(header: NrrdHeader, axes: number): (number[] | undefined)[] | undefined {
  const text = header.text("space directions");
  if (text === undefined) return undefined;
  const vectors = text.match(/none|\([^()]*\)/gi) ?? [];
  const directions = vectors.map((vector) => (/^none$/i.test(vector) ? undefined : parseVector(vector)));
  const bad = vectors.some((vector, i) => !/^none$/i.test(vector) && directions[i] === undefined);
  if (bad || directions.length !== axes) {
    throw header.bad("space directions", `space directions “${text}” should be ${axes} vectors.`);
  }
  return directions;
}

function parseVector(text: string): number[] | undefined {
  const numbers = text
    .slice(1, -1)
    .split(",")
    .map((part) => parseFinite(part.trim()));
  return numbers.includes(undefined) ? undefined : (numbers as number[]);
}

/** The axis of vector components, if there is one: identified by its kind or direction, or the first of four. */
function findComponentAxis(
  header: NrrdHeader,
  sizes: readonly number[],
  directions: readonly (number[] | undefined)[] | undefined,
): number | undefined {
  const kinds = header.text("kinds")?.split(/\s+/);
  const candidates = sizes.flatMap((_, axis) => {
    const byKind = kinds?.[axis] !== undefined && !domainKinds.test(kinds[axis]);
    return byKind || (directions && directions[axis] === undefined) ? [axis] : [];
  });
  if (candidates.length === 0) return sizes.length === 4 && sizes[0] <= maxComponents ? 0 : undefined;
  if (candidates.length === 1 && candidates[0] === 0) return 0;
  throw unsupported(
    `“${header.name}” keeps components on axis ${candidates.map((axis) => axis + 1).join(" and ")} of ${sizes.length}.`,
    "Crinkle reads components on the first axis; reorder the axes, for instance with “unu permute”.",
  );
}

function applyDirections(
  header: NrrdHeader,
  spatial: readonly number[],
  directions: readonly (number[] | undefined)[],
  origin: number[],
  spacing: number[],
  notes: string[],
): void {
  const vectors = spatial.map((axis) => directions[axis] ?? []);
  const lengths = vectors.map((vector) => Math.hypot(...vector));
  if (lengths.some((length) => !(length > 0))) {
    throw header.bad("space directions", "a space direction has no length.");
  }
  const start = parseVector(header.text("space origin") ?? "()") ?? [];
  const axes = placeAxes(vectors, start);
  if (!axes) {
    throw unsupported(
      `“${header.name}” has axes that are not at right angles: space directions ${header.text("space directions")}.`,
      "Resample it to an image with axes at right angles.",
    );
  }
  vectors.forEach((_, i) => {
    spacing[i] = axes.spacing[i];
    origin[i] = axes.origin[i];
  });
  notes.push(...axes.notes);
}

function applySpacings(
  header: NrrdHeader,
  spatial: readonly number[],
  sizes: readonly number[],
  origin: number[],
  spacing: number[],
): void {
  const list = (...spellings: string[]) => header.text(...spellings)?.split(/\s+/) ?? [];
  const spacings = list("spacings");
  const mins = list("axis mins", "axismins");
  const maxs = list("axis maxs", "axismaxs");
  const centers = list("centerings", "centers");
  const start = parseVector(header.text("space origin") ?? "()");
  spatial.forEach((axis, i) => {
    const low = parseFinite(mins[axis]);
    const high = parseFinite(maxs[axis]);
    const cellular = centers[axis]?.toLowerCase() === "cell";
    const intervals = cellular ? sizes[axis] : Math.max(sizes[axis] - 1, 1);
    const fromRange =
      low !== undefined && high !== undefined && high !== low ? (high - low) / intervals : undefined;
    spacing[i] = parseFinite(spacings[axis]) ?? fromRange ?? 1;
    origin[i] = start?.[i] ?? (low === undefined ? 0 : low + (cellular ? 0.5 * spacing[i] : 0));
  });
}

function triple(numbers: readonly number[]): Triple {
  return [numbers[0], numbers[1], numbers[2]];
}
