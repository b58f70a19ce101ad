import type { Field } from "../../../core/field.ts";
import type { Grid, Triple } from "../../../core/grid.ts";
import { orderTriangles } from "../../../core/marching-cubes/order.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import type { SliceRequest } from "../../../core/slice-place.ts";
import { type Cutter, composedCut } from "../cut.ts";
import { readSurface } from "../host-mesh.ts";
import { composedIsosurface } from "../isosurface.ts";
import { composedSlice } from "../slice.ts";
import type { Surface } from "../surface.ts";
import { surfaceGrid } from "../surface-grid.ts";

/** One component of a field as f32. */
export const componentOf = ({ data, components }: Field, component = 0): Float32Array =>
  Float32Array.from({ length: data.length / components }, (_, i) => Number(data[i * components + component]));

/** What a surface has of a part that was asked for. */
export const wordsOf = async (p: Primitives, part: Vector<"u32"> | undefined): Promise<Uint32Array> =>
  part ? p.toHost(part) : new Uint32Array(0);

/** A surface on the host, its first field as scalars, triangles in the order of their vertices. */
export async function meshOf(p: Primitives, surface: Surface, center: Triple): Promise<TriangleMesh> {
  const mesh = await readSurface(p, surface, center);
  orderTriangles(mesh.indices, mesh.positions.length / 3);
  return mesh;
}

export interface WeldedOptions {
  readonly component?: number;
  readonly color?: Field;
  readonly colorComponent?: number;
}

/** The welded mesh of one isovalue, as of the loop. */
export async function composedMesh(
  p: Primitives,
  grid: Grid,
  field: Field,
  isovalue: number,
  { component, color, colorComponent }: WeldedOptions = {},
): Promise<TriangleMesh> {
  const on = surfaceGrid(p, grid);
  const values = p.fromHost("f32", componentOf(field, component));
  const fields = color ? [p.fromHost("f32", componentOf(color, colorComponent))] : [];
  const surface = await composedIsosurface(p, on, values, {
    isovalues: [isovalue],
    fields,
    isWelded: true,
  });
  const mesh = await meshOf(p, surface, on.center);
  for (const held of [on, values, ...fields, surface]) held.release();
  return mesh;
}

/** The welded mesh of a cut, in the order of cells. */
export async function composedCutMesh(
  p: Primitives,
  grid: Grid,
  cutter: Cutter,
  field?: Field,
): Promise<TriangleMesh> {
  const on = surfaceGrid(p, grid);
  const fields = field ? [p.fromHost("f32", componentOf(field))] : [];
  try {
    const surface = await composedCut(p, on, cutter, { fields, isWelded: true });
    const mesh = await meshOf(p, surface, on.center);
    surface.release();
    return mesh;
  } finally {
    for (const held of [on, ...fields]) held.release();
  }
}

/** The welded mesh of a slice. */
export async function composedSliceMesh(
  p: Primitives,
  grid: Grid,
  field: Field,
  request: SliceRequest,
): Promise<TriangleMesh> {
  const on = surfaceGrid(p, grid);
  const values = p.fromHost("f32", componentOf(field));
  try {
    const surface = await composedSlice(p, on, request, { fields: [values], isWelded: true });
    const mesh = await meshOf(p, surface, on.center);
    surface.release();
    return mesh;
  } finally {
    for (const held of [on, values]) held.release();
  }
}
