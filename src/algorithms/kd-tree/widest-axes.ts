import type { NaryFunction } from "../../core/primitives/functions.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { withVectors } from "../vectors.ts";
import type { Coordinates, Extents, Level, Words } from "./level.ts";

/** From the least coordinate to the greatest: 0 where both are the same infinity. */
const extent: NaryFunction = {
  name: "extent",
  text: "select(x0 - x1, 0.0, x0 == x1)",
};

/** The first axis of greatest extent. */
const widestOf = (dimensions: number): NaryFunction =>
  dimensions === 2
    ? { name: "wider axis", text: "select(0u, 1u, x1 > x0)" }
    : {
        name: "widest axis",
        text: "select(select(0u, 1u, x1 > x0), 2u, (x2 > x0) & (x2 > x1))",
      };

/** For each point, the axis along which its segment extends farthest. */
export function widestAxes(
  p: Primitives,
  coordinates: Coordinates,
  { ranks, moved: [ids] }: Level,
  { starts, ends }: Extents,
): Promise<Words> {
  return withVectors(async (vectors) => {
    const extents = [];
    for (const [axis, along] of coordinates.entries()) {
      const places = await vectors.hold(p.zip([starts, ranks[axis]], sumOf, "u32"));
      const byRank = await vectors.hold(p.fill("u32", ids.length, 0));
      await p.scatter(ids, places, byRank);
      const [low, high] = [starts, ends].map((at) => p.permuted(along, p.permuted(byRank, at)));
      extents.push(await vectors.hold(p.zip([high, low], extent, "f32")));
    }
    return p.zip(extents, widestOf(coordinates.length), "u32");
  });
}

const sumOf: NaryFunction = { name: "sum", text: "x0 + x1" };
