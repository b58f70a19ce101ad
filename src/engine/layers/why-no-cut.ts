import { formatNumber } from "../../core/format.ts";
import { type Grid, nodeCoordinates, type Triple } from "../../core/grid.ts";

/**
 * Why a sphere that reaches into the grid cuts none of its cells, as the end of a sentence: cells are cut by its
 * implicit function on the nodes, so a node must lie inside it. Undefined if it lies outside or around the grid, or the
 * grid has no cells.
 */
export function whyNoCut(grid: Grid, center: Triple, radius: number): string | undefined {
  if (grid.dims.some((nodes) => nodes < 2)) return undefined;
  let nearest = 0;
  let farthest = 0;
  const spans = center.map((place, axis) => {
    const nodes = nodeCoordinates(grid, axis);
    const [low, high] = [nodes[0], nodes[nodes.length - 1]];
    const inside = Math.min(Math.max(place, low), high);
    nearest += (inside - place) ** 2;
    farthest += Math.max(place - low, high - place) ** 2;
    const next = Math.max(
      1,
      nodes.findIndex((node) => node >= inside),
    );
    return nodes[next] - nodes[next - 1];
  });
  if (nearest > radius ** 2 || farthest < radius ** 2) return undefined;
  const cells = spans.map((span) => formatNumber(span)).join(" × ");
  return `the sphere of radius ${formatNumber(radius)} lies between the nodes; cells there are ${cells}`;
}
