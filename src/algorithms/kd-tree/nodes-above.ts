import { floorF32 } from "../../core/floor-f32.ts";
import { type Centering, type Grid, valueCoordinates, valueDims } from "../../core/grid.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { withVectors } from "../vectors.ts";

/** Places of a field's values that were chosen: their numbers, x fastest, and their coordinates along each axis. */
export interface ChosenPlaces {
  readonly indices: Vector<"u32">;
  readonly coordinates: readonly Vector<"f32">[];
}

/**
 * Where a scalar field is above a threshold, for a KD-tree of these places: the numbers and x, y and z of the nodes, or
 * cells' middles, whose value is greater. NaN is not. Throws BadArgument where there are more or fewer values than places.
 */
export function nodesAbove(
  p: Primitives,
  grid: Grid,
  centering: Centering,
  values: Vector<"f32">,
  threshold: number,
): Promise<ChosenPlaces> {
  const dims = valueDims(grid, centering);
  const count = dims[0] * dims[1] * dims[2];
  if (values.length !== count || Number.isNaN(threshold)) {
    throw badArgument(
      `Places above ${threshold} were asked for, of ${values.length} values on a grid of ${count}.`,
      "Give one value for each place of the grid, and a threshold that is a number.",
    );
  }
  const bound = floorF32(threshold);
  const word = new Uint32Array(Float32Array.of(bound).buffer)[0];
  const isAbove = {
    name: `above ${bound}`,
    text: `select(0u, 1u, x > bitcast<f32>(${word}u + (bitcast<u32>(x) & 0u)))`,
  };
  return withVectors(async (vectors) => {
    const stencil = await vectors.hold(p.transform(values, isAbove, "u32"));
    const indices = await vectors.hold(p.copyIf(p.counting("u32", count), { stencil }));
    const coordinates = [];
    let stride = 1;
    for (const [axis, size] of dims.entries()) {
      const along = Float32Array.from(valueCoordinates(grid, centering, axis));
      const places = await vectors.hold(p.fromHost("f32", along));
      const step = stride;
      const position = {
        name: `place along axis ${axis}`,
        text: `(x / ${step}u) % ${size}u`,
      };
      const map = await vectors.hold(p.transform(indices, position, "u32"));
      coordinates.push(await vectors.hold(p.gather(map, places)));
      stride *= size;
    }
    return {
      indices: vectors.handOut(indices),
      coordinates: coordinates.map((vector) => vectors.handOut(vector)),
    };
  });
}
