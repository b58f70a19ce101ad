/** Parts of a surface that ranks make of their blocks of a grid, and the whole that they are put together to. */
import { type Box, boxCount, numberInBox, wholeBox } from "../../core/box.ts";
import { placeInBox } from "../../core/box-values.ts";
import { cellDims, type Grid, nodeCoordinates } from "../../core/grid.ts";
import { joinMeshes } from "../../core/join-meshes.ts";
import type { MaybeEdgeMesh } from "../../core/marching-cubes/weld.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import { withVertices } from "../../core/mesh-subset.ts";
import { rangesOf, type Steps } from "../../core/steps.ts";

/** Where a block ends along an axis; at the bounds of the grid it does not. */
interface Face {
  readonly axis: number;
  readonly isUpper: boolean;
  readonly at: number;
}

function facesOf(grid: Grid, { first, end }: Box): Face[] {
  const all = cellDims(grid);
  return [0, 1, 2].flatMap((axis) => {
    const at = nodeCoordinates(grid, axis);
    return [
      ...(first[axis] > 0 ? [{ axis, isUpper: false, at: at[first[axis]] }] : []),
      ...(end[axis] < all[axis] ? [{ axis, isUpper: true, at: at[end[axis]] }] : []),
    ];
  });
}

/** Coordinates in f32 that may stand for the same border differ by less than this, relative to the grid's. */
const borderTolerance = 2 ** -20;

/** Whether a vertex lies on one of the faces, of a grid's blocks. */
function onFaces(grid: Grid, faces: readonly Face[], positions: Float32Array): (vertex: number) => boolean {
  const near = faces.map(({ axis, at }) => {
    const nodes = nodeCoordinates(grid, axis);
    const largest = Math.max(Math.abs(nodes[0]), Math.abs(nodes[nodes.length - 1]));
    return { axis, at, tolerance: borderTolerance * largest };
  });
  return (vertex) =>
    near.some(({ axis, at, tolerance }) => Math.abs(positions[3 * vertex + axis] - at) <= tolerance);
}

/**
 * The scalars of a part's vertices, less those on the lower borders of its block, which the blocks below have, too: with all
 * parts' together each vertex counts once.
 */
export function ownScalars({ positions, scalars }: TriangleMesh, grid: Grid, cells: Box): Float32Array {
  if (!scalars) return new Float32Array(0);
  const lower = facesOf(grid, cells).filter(({ isUpper }) => !isUpper);
  if (lower.length === 0) return scalars;
  const isShared = onFaces(grid, lower, positions);
  return scalars.filter((_, vertex) => !isShared(vertex));
}

/** A rank's part of a surface on its way to the whole. */
export interface MeshPart extends TriangleMesh {
  /** What `bordersOf` says; nothing where the vertices' edges are not known. */
  readonly borders: Float64Array;
}

/**
 * Of a part's vertices on the borders of its block, in their order, the grid's edges that they lie on, by which ranks know those that
 * they have in common; those of vertices inside cells are no other rank's. `nodes` are those of the grid that the edges number.
 */
export function* bordersOf(
  { positions, edges }: MaybeEdgeMesh,
  grid: Grid,
  cells: Box,
  nodes: Box,
): Steps<Float64Array> {
  if (!edges) return new Float64Array(0);
  const isOnBorder = onFaces(grid, facesOf(grid, cells), positions);
  const whole = wholeBox(grid.dims);
  const inside = 3 * boxCount(nodes);
  const borders: number[] = [];
  for (const [first, end] of rangesOf(edges.length)) {
    for (let vertex = first; vertex < end; vertex++) {
      if (!isOnBorder(vertex)) continue;
      const edge = edges[vertex];
      const node = placeInBox(nodes, Math.floor(edge / 3));
      borders.push(edge < inside ? 3 * numberInBox(whole, node) + (edge % 3) : inner);
    }
    yield;
  }
  return Float64Array.from(borders);
}

const inner = -1;

/**
 * Parts of ranks in their order as one mesh. Of vertices that neighbouring parts have on the borders of their blocks on the same
 * edge, or at the same place where edges are not known, one stays.
 */
export function* joinParts(
  parts: readonly MeshPart[],
  grid: Grid,
  shares: readonly Box[],
): Steps<TriangleMesh> {
  return yield* joining(parts, grid, shares, () => {});
}

/** The same of the blocks that a rank's own are cut into, as its part of the whole: with what `bordersOf` says of the rank's. */
export function* joinBlocks(
  parts: readonly MeshPart[],
  grid: Grid,
  blocks: readonly Box[],
  cells: Box,
): Steps<MeshPart> {
  const faces = facesOf(grid, cells);
  const borders: number[] = [];
  let isOnFace: ((vertex: number) => boolean) | undefined;
  let isKnown = true;
  const mesh = yield* joining(parts, grid, blocks, (vertex, edge, positions) => {
    isOnFace ??= onFaces(grid, faces, positions);
    if (!isOnFace(vertex)) return;
    if (edge === undefined) isKnown = false;
    else borders.push(edge);
  });
  return { ...mesh, borders: Float64Array.from(isKnown ? borders : []) };
}

/** `onBorder` hears of the vertices on the blocks' borders that stay, in their order, with their edges where these are known. */
function* joining(
  parts: readonly MeshPart[],
  grid: Grid,
  shares: readonly Box[],
  onBorder: (vertex: number, edge: number | undefined, positions: Float32Array) => void,
): Steps<TriangleMesh> {
  const mesh = joinMeshes(parts);
  if (mesh === emptyMesh) return mesh;
  const { positions, normals, indices } = mesh;
  const placeBits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const normalBits = new Uint32Array(normals.buffer, normals.byteOffset, normals.length);
  const numbers = new Uint32Array(positions.length / 3);
  const vertices = new Uint32Array(numbers.length);
  let vertexCount = 0;
  // The vertices of all parts so far at each place, in order: several of one part may share it.
  const known = new Map<string, number[]>();
  let before = 0;
  for (const [rank, part] of parts.entries()) {
    const own = new Map<string, number>();
    const isOnBorder = onFaces(grid, facesOf(grid, shares[rank]), positions);
    const count = part.positions.length / 3;
    let border = 0;
    for (const [first, end] of rangesOf(count)) {
      for (let vertex = before + first; vertex < before + end; vertex++) {
        const isBorder = isOnBorder(vertex);
        const edge: number | undefined = isBorder ? part.borders[border++] : inner;
        if (edge === inner) {
          if (isBorder) onBorder(vertex, edge, positions);
          vertices[vertexCount] = vertex;
          numbers[vertex] = vertexCount++;
          continue;
        }
        // Facets that meet at an edge have vertices at one place, with normals of their own.
        const [from, to] = [3 * vertex, 3 * vertex + 3];
        const place = [...placeBits.subarray(from, to), ...normalBits.subarray(from, to), edge].join(" ");
        const ownBefore = own.get(place) ?? 0;
        own.set(place, ownBefore + 1);
        const others = known.get(place) ?? [];
        if (ownBefore === others.length) {
          onBorder(vertex, edge, positions);
          vertices[vertexCount] = vertex;
          others.push(vertexCount++);
        }
        numbers[vertex] = others[ownBefore];
        known.set(place, others);
      }
      yield;
    }
    before += count;
  }
  const joined = new Uint32Array(indices.length);
  for (const [first, end] of rangesOf(indices.length)) {
    for (let i = first; i < end; i++) joined[i] = numbers[indices[i]];
    yield;
  }
  return yield* withVertices(mesh, vertices.subarray(0, vertexCount), joined);
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
