import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";
import type { MeshArray, MeshOptions } from "./mesh-options.ts";
import { AppendedData, escapeXml } from "./vtk-appended.ts";

const itemsPerStep = 1 << 16;
const maxCorners = 2 ** 31 - 1;

/** Names of a mesh's own vertex arrays. */
const own: readonly string[] = ["Normals", "Colors"];

/**
 * Writes .vtp (PolyData, appended zlib blocks): positions, normals, the scalar if there is one, under its own name,
 * colours if requested, as the array `Colors` of three bytes, and any other arrays of vertices and triangles. Throws
 * TooLarge beyond 2³¹ corners.
 */
export async function writeVtp(
  mesh: TriangleMesh,
  job: JobContext,
  { scalarName = "scalar", color, arrays = { vertices: [], triangles: [] } }: MeshOptions = {},
): Promise<Chunks> {
  const { positions, normals, scalars, indices } = mesh;
  const points = positions.length / 3;
  if (indices.length > maxCorners) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `The mesh has ${indices.length / 3} triangles, more than a .vtp file with 32-bit offsets holds.`,
      remedy: "Clip it, or write STL.",
    });
  }
  const yielder = new Yielder(job, "Writing the mesh");
  const others = {
    vertices: apart(arrays.vertices, scalars ? [scalarName] : []),
    triangles: apart(arrays.triangles, []),
  };
  const bytes =
    2 * positions.byteLength +
    (scalars?.byteLength ?? 0) +
    2 * indices.byteLength +
    bytesOf([...others.vertices, ...others.triangles]) +
    1;
  const appended = new AppendedData("zlib", yielder, bytes);
  const active = scalars ? ` Scalars="${escapeXml(scalarName)}"` : "";
  const lines = [
    "<PolyData>",
    `<Piece NumberOfPoints="${points}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="${indices.length / 3}">`,
    `<PointData${active} Normals="Normals">`,
    await appended.array("Normals", "f32", 3, normals),
  ];
  if (scalars) lines.push(await appended.array(scalarName, "f32", 1, scalars));
  if (color) lines.push(await appended.array("Colors", "u8", 3, await colorsOf(points, color, yielder)));
  for (const { name, dtype, components, data } of others.vertices)
    lines.push(await appended.array(name, dtype, components, data));
  lines.push("</PointData>", "<CellData>");
  for (const { name, dtype, components, data } of others.triangles)
    lines.push(await appended.array(name, dtype, components, data));
  const corners = new Int32Array(indices.buffer, indices.byteOffset, indices.length);
  lines.push(
    "</CellData>",
    "<Points>",
    await appended.array("Points", "f32", 3, positions),
    "</Points>",
    "<Polys>",
    await appended.array("connectivity", "i32", 1, corners),
    await appended.array("offsets", "i32", 1, await offsetsOf(indices.length / 3, yielder)),
    "</Polys>",
    "</Piece>",
    "</PolyData>",
  );
  return appended.file("PolyData", lines);
}

/** Arrays with unused names; fields with the name of an array that every mesh has get another one. */
function apart(arrays: readonly MeshArray[], taken: readonly string[]): readonly MeshArray[] {
  const names = new Set(taken);
  return arrays
    .map((array) => (own.includes(array.name) ? { ...array, name: `${array.name} (field)` } : array))
    .filter(({ name }) => !names.has(name) && names.add(name));
}

const bytesOf = (arrays: readonly MeshArray[]): number =>
  arrays.reduce((sum, { data }) => sum + data.byteLength, 0);

async function colorsOf(
  points: number,
  color: NonNullable<MeshOptions["color"]>,
  yielder: Yielder,
): Promise<Uint8Array> {
  const colors = new Uint8Array(3 * points);
  for (let i = 0; i < points; i++) {
    if (i % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(i / points);
    color(i, colors, 3 * i);
  }
  return colors;
}

/** End of each triangle's corners. */
async function offsetsOf(triangles: number, yielder: Yielder): Promise<Int32Array> {
  const offsets = new Int32Array(triangles);
  for (let i = 0; i < triangles; i++) {
    if (i % itemsPerStep === 0 && yielder.isDue()) await yielder.yield(i / triangles);
    offsets[i] = 3 * i + 3;
  }
  return offsets;
}
