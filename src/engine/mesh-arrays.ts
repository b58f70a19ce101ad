import { cellAlong, fractionIn } from "../core/cell-location.ts";
import { arrayOf, fitsF32, type TypedArray } from "../core/dtype.ts";
import type { Field } from "../core/field.ts";
import { cellDims, type Grid, gridBounds } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { Yielder } from "../data/bytes/yielder.ts";
import type { MeshArray, MeshArrays } from "../data/write/mesh-options.ts";
import type { Session } from "./session.ts";

/** VTK's name for the array of the cells from which triangles were made; cells are numbered x fastest, as in VTK. */
const cellIdsName = "vtkOriginalCellIds";

const itemsPerStep = 1 << 12;

/**
 * All fields where a surface in their grid is: those of nodes at its vertices, by trilinear interpolation, as f32 or f64;
 * those of cells in its triangles, as they are stored; and each triangle's cell. A vertex that lies within the rounding
 * of its coordinates beside a node, an edge or a face of the grid counts as on it, so that a NaN beyond is not met. A
 * triangle in a face is of the cell that its normals point away from. Fields are taken one after the other. Throws Cancelled.
 */
export async function meshArrays(
  grid: Grid,
  fields: Iterable<Field> | AsyncIterable<Field>,
  mesh: TriangleMesh,
  job: JobContext,
): Promise<MeshArrays> {
  const yielder = new Yielder(job, "Taking the fields at the mesh");
  const places = await placesOf(grid, mesh.positions, yielder);
  const cells = await cellsOf(grid, mesh, yielder);
  const vertices: MeshArray[] = [];
  const triangles: MeshArray[] = [];
  for await (const field of fields) {
    if (field.centering === "node") vertices.push(await interpolated(grid, field, places, yielder));
    else triangles.push({ ...field, data: gathered(field, cells) });
  }
  const ids = BigInt64Array.from(cells, BigInt);
  triangles.push({ name: cellIdsName, components: 1, dtype: "i64", data: ids });
  return { vertices, triangles };
}

/**
 * The same for all loaded and derived fields of a session. `elsewhere` gives the values of those that only other ranks have,
 * and undefined for the others.
 */
export function sessionMeshArrays(
  session: Session,
  mesh: TriangleMesh,
  job: JobContext,
  elsewhere: (name: string) => Promise<Field | undefined> | undefined = () => undefined,
): Promise<MeshArrays> {
  async function* fields(): AsyncIterable<Field> {
    for (const { name, values } of session.signatures())
      if (!values) yield { ...((await elsewhere(name)) ?? (await session.hostField(name, job))), name };
  }
  return meshArrays(session.data.dataSet.grid, fields(), mesh, job);
}

/** The lowest node of each vertex's cell, and the position in the cell: three fractions per vertex. */
interface Places {
  readonly nodes: Float64Array;
  readonly fractions: Float32Array;
}

async function placesOf(grid: Grid, positions: Float32Array, yielder: Yielder): Promise<Places> {
  const count = positions.length / 3;
  const nodes = new Float64Array(count);
  const fractions = new Float32Array(3 * count);
  const rounding = roundingOf(grid);
  const strides = [1, grid.dims[0], grid.dims[0] * grid.dims[1]];
  for (let v = 0; v < count; v++) {
    if (v % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(0);
    for (let axis = 0; axis < 3; axis++) {
      const position = positions[3 * v + axis];
      const cell = cellAlong(grid, axis, position);
      const t = fractionIn(grid, axis, cell, position);
      const near = rounding[axis] / cellLength(grid, axis, cell);
      nodes[v] += strides[axis] * cell;
      fractions[3 * v + axis] = t < near ? 0 : t > 1 - near ? 1 : t;
    }
  }
  return { nodes, fractions };
}

async function interpolated(
  { dims }: Grid,
  { name, components, dtype, data }: Field,
  { nodes, fractions }: Places,
  yielder: Yielder,
): Promise<MeshArray> {
  const length = nodes.length * components;
  const values = fitsF32(dtype) ? new Float32Array(length) : new Float64Array(length);
  const strides = [1, dims[0], dims[0] * dims[1]];
  const corners = new Float64Array(8);
  const weights = new Float64Array(8);
  for (let v = 0; v < nodes.length; v++) {
    if (v % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(v / nodes.length);
    for (let corner = 0; corner < 8; corner++) {
      corners[corner] = nodes[v];
      weights[corner] = 1;
      for (let axis = 0; axis < 3; axis++) {
        const isUpper = (corner >> axis) & 1;
        const t = fractions[3 * v + axis];
        corners[corner] += isUpper * strides[axis];
        weights[corner] *= isUpper ? t : 1 - t;
      }
    }
    for (let c = 0; c < components; c++) {
      let sum = 0;
      for (let corner = 0; corner < 8; corner++) {
        const weight = weights[corner];
        if (weight > 0) sum += weight * Number(data[corners[corner] * components + c]);
      }
      values[v * components + c] = sum;
    }
  }
  return { name, components, dtype: fitsF32(dtype) ? "f32" : "f64", data: values };
}

/** The cell of each triangle: that of its centroid. */
async function cellsOf(grid: Grid, { positions, normals, indices }: TriangleMesh, yielder: Yielder) {
  const cells = new Float64Array(indices.length / 3);
  const counts = cellDims(grid);
  const rounding = roundingOf(grid);
  const meanOf = (values: Float32Array, t: number, axis: number): number =>
    (values[3 * indices[3 * t] + axis] +
      values[3 * indices[3 * t + 1] + axis] +
      values[3 * indices[3 * t + 2] + axis]) /
    3;
  for (let t = 0; t < cells.length; t++) {
    if (t % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(t / cells.length);
    for (let axis = 2; axis >= 0; axis--) {
      const middle = meanOf(positions, t, axis);
      let cell = cellAlong(grid, axis, middle);
      const fraction = fractionIn(grid, axis, cell, middle);
      const near = rounding[axis] / cellLength(grid, axis, cell);
      if (fraction < near && meanOf(normals, t, axis) > 0) cell--;
      else if (fraction > 1 - near && meanOf(normals, t, axis) < 0) cell++;
      cells[t] = cells[t] * counts[axis] + Math.min(counts[axis] - 1, Math.max(0, cell));
    }
  }
  return cells;
}

/** Copies cells' values in their own type. */
function gathered({ components, dtype, data }: Field, cells: Float64Array): TypedArray {
  const taken = new (arrayOf(dtype))(cells.length * components);
  for (let t = 0; t < cells.length; t++) {
    for (let c = 0; c < components; c++)
      (taken as Float64Array)[t * components + c] = (data as Float64Array)[cells[t] * components + c];
  }
  return taken;
}

/** The distance along each axis within which f32 cannot tell coordinates of the grid apart. */
function roundingOf(grid: Grid): readonly number[] {
  const bounds = gridBounds(grid);
  return [0, 1, 2].map(
    (axis) => 2 ** -23 * Math.max(Math.abs(bounds[2 * axis]), Math.abs(bounds[2 * axis + 1])),
  );
}

function cellLength(grid: Grid, axis: number, cell: number): number {
  return grid.kind === "uniform" ? grid.spacing[axis] : grid.axes[axis][cell + 1] - grid.axes[axis][cell];
}
