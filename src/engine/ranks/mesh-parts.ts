/** Parts of a surface that ranks make of their layers of a grid, and the whole that they are put together to. */
import { type Grid, nodeCoordinates } from "../../core/grid.ts";
import { joinMeshes } from "../../core/join-meshes.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import { type Block, layersOf } from "../../lang/expression/plan/blocks.ts";

/**
 * The triangles of a mesh that belong to layers of a grid: those whose middle is there. A mesh that was made with the layers
 * around these has the same triangles near a border as that of the rank beyond it, to the bit, so that each is one rank's.
 */
export function ownTriangles(
  mesh: TriangleMesh,
  grid: Grid,
  { first, end }: Pick<Block, "first" | "end">,
): TriangleMesh {
  const z = nodeCoordinates(grid, 2);
  const from = first === 0 ? Number.NEGATIVE_INFINITY : Math.fround(z[first]);
  const to = end === layersOf(grid) ? Number.POSITIVE_INFINITY : Math.fround(z[end]);
  const { positions, indices } = mesh;
  const numbers = new Uint32Array(positions.length / 3).fill(unused);
  const kept: number[] = [];
  const vertices: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const middle =
      (positions[3 * indices[t] + 2] +
        positions[3 * indices[t + 1] + 2] +
        positions[3 * indices[t + 2] + 2]) /
      3;
    if (!(middle >= from && middle < to)) continue;
    for (let corner = t; corner < t + 3; corner++) {
      const vertex = indices[corner];
      if (numbers[vertex] === unused) numbers[vertex] = vertices.push(vertex) - 1;
      kept.push(numbers[vertex]);
    }
  }
  return withVertices(mesh, vertices, Uint32Array.from(kept));
}

const unused = 2 ** 32 - 1;

function withVertices(
  { positions, normals, scalars }: TriangleMesh,
  vertices: readonly number[],
  indices: Uint32Array,
): TriangleMesh {
  const take = (from: Float32Array, components: number) => {
    const taken = new Float32Array(components * vertices.length);
    for (let v = 0; v < vertices.length; v++)
      for (let c = 0; c < components; c++) taken[components * v + c] = from[components * vertices[v] + c];
    return taken;
  };
  return {
    positions: take(positions, 3),
    normals: take(normals, 3),
    scalars: scalars && take(scalars, 1),
    indices,
  };
}

/** Coordinates in f32 that may stand for the same border differ by less than this, relative to the grid's. */
const borderTolerance = 2 ** -20;

const borderToleranceOf = (z: ArrayLike<number>): number =>
  borderTolerance * Math.max(Math.abs(z[0]), Math.abs(z[z.length - 1]));

/**
 * The scalars of a part's vertices, less those on the lower border of its layers, which the part below has, too: with all
 * parts' together each vertex counts once.
 */
export function ownScalars(
  { positions, scalars }: TriangleMesh,
  grid: Grid,
  { first }: Pick<Block, "first">,
): Float32Array {
  if (!scalars || first === 0) return scalars ?? new Float32Array(0);
  const z = nodeCoordinates(grid, 2);
  const tolerance = borderToleranceOf(z);
  return scalars.filter((_, vertex) => Math.abs(positions[3 * vertex + 2] - z[first]) > tolerance);
}

/**
 * Parts of ranks in their order as one mesh. Of vertices that neighbouring parts have at the same place on the border of
 * their layers, one stays.
 */
export function joinParts(
  parts: readonly TriangleMesh[],
  grid: Grid,
  layers: readonly Pick<Block, "first" | "end">[],
): TriangleMesh {
  const z = nodeCoordinates(grid, 2);
  const tolerance = borderToleranceOf(z);
  const mesh = joinMeshes(parts);
  if (mesh === emptyMesh) return mesh;
  const { positions, normals, indices } = mesh;
  const placeBits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const normalBits = new Uint32Array(normals.buffer, normals.byteOffset, normals.length);
  const numbers = new Uint32Array(positions.length / 3);
  const vertices: number[] = [];
  // Vertices of the part before that have found no twin yet, in order: several may share a place.
  let former = new Map<string, number[]>();
  let vertex = 0;
  for (const [rank, part] of parts.entries()) {
    const own = new Map<string, number[]>();
    const [low, high] = [z[layers[rank].first], z[layers[rank].end]];
    const end = vertex + part.positions.length / 3;
    for (; vertex < end; vertex++) {
      const height = positions[3 * vertex + 2];
      if (Math.min(Math.abs(height - low), Math.abs(height - high)) > tolerance) {
        numbers[vertex] = vertices.push(vertex) - 1;
        continue;
      }
      // Facets that meet at an edge have vertices at one place, with normals of their own.
      const [from, to] = [3 * vertex, 3 * vertex + 3];
      const place = [...placeBits.subarray(from, to), ...normalBits.subarray(from, to)].join(" ");
      const twin = former.get(place)?.shift();
      numbers[vertex] = twin ?? vertices.push(vertex) - 1;
      const others = own.get(place);
      if (others) others.push(numbers[vertex]);
      else own.set(place, [numbers[vertex]]);
    }
    if (part.positions.length > 0) former = own;
  }
  return withVertices(
    mesh,
    vertices,
    indices.map((index) => numbers[index]),
  );
}

/** Parts of one mesh in the order of the ranks that have them, whose indices are the whole's. */
export function joinDistributed(parts: readonly TriangleMesh[]): TriangleMesh {
  const joined = <A extends Float32Array | Uint32Array>(whole: A, arrays: readonly A[]): A => {
    let at = 0;
    for (const array of arrays) {
      whole.set(array, at);
      at += array.length;
    }
    return whole;
  };
  const length = (arrays: readonly { readonly length: number }[]) =>
    arrays.reduce((sum, { length }) => sum + length, 0);
  const floats = (arrays: readonly Float32Array[]) => joined(new Float32Array(length(arrays)), arrays);
  const indices = parts.map((part) => part.indices);
  const scalars = parts.flatMap((part) => part.scalars ?? []);
  return {
    positions: floats(parts.map(({ positions }) => positions)),
    normals: floats(parts.map(({ normals }) => normals)),
    scalars: scalars.length > 0 ? floats(scalars) : undefined,
    indices: joined(new Uint32Array(length(indices)), indices),
  };
}
