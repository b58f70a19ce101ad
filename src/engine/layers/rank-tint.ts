import { rgb } from "d3-color";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { PaintSettings } from "../../viewer/paint.ts";
import { tableSize } from "../../viewer/passes/paint-block.ts";
import { rankColor } from "./rank-color.ts";

const stopsPerRank = 8;

/** A colour for each rank, the same for all that it made: vertices have the number of their rank as a scalar. */
export function rankTint(ranks: number, nanColor: string) {
  const table = new Uint8Array(3 * tableSize);
  for (let k = 0; k < tableSize; k++) {
    const { r, g, b } = rgb(rankColor(Math.floor((k * ranks) / tableSize)));
    table.set([r, g, b], 3 * k);
  }
  const range: PaintSettings["range"] = [-0.5, ranks - 0.5];
  const bar: ScalarBar = {
    title: "rank",
    min: range[0],
    max: range[1],
    colors: Array.from({ length: stopsPerRank * ranks }, (_, k) => rankColor(Math.floor(k / stopsPerRank))),
    bands: ranks,
    nanColor,
    hasNaN: false,
  };
  return { table, range, bar };
}

/**
 * A mesh whose scalars are the ranks that made its triangles: `ends` are the numbers of the triangles that each rank and
 * those before it made. Vertices that several ranks have in common are doubled, so that no triangle has two colours.
 */
export function tinted({ positions, normals, indices }: TriangleMesh, ends: readonly number[]): TriangleMesh {
  const vertices = positions.length / 3;
  const owner = new Int32Array(vertices).fill(-1);
  const added: number[] = [];
  const scalars: number[] = [];
  const own = indices.slice();
  let twins = new Map<number, number>();
  for (let rank = 0, t = 0; rank < ends.length; rank++) {
    twins = new Map();
    for (; t < 3 * ends[rank]; t++) {
      const vertex = indices[t];
      if (owner[vertex] < 0) owner[vertex] = rank;
      if (owner[vertex] === rank) continue;
      let twin = twins.get(vertex);
      if (twin === undefined) {
        twin = vertices + added.push(vertex) - 1;
        twins.set(vertex, twin);
        scalars.push(rank);
      }
      own[t] = twin;
    }
  }
  const extended = (from: Float32Array) => {
    const to = new Float32Array(3 * (vertices + added.length));
    to.set(from);
    for (const [k, vertex] of added.entries())
      to.set(from.subarray(3 * vertex, 3 * vertex + 3), 3 * (vertices + k));
    return to;
  };
  return {
    positions: extended(positions),
    normals: extended(normals),
    scalars: Float32Array.from([...owner, ...scalars]),
    indices: own,
  };
}
