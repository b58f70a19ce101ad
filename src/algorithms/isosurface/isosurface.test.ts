import { describe, expect, it } from "vitest";
import { isosurface } from "./isosurface.ts";
import { countEdges, eulerCharacteristic } from "./measures.ts";
import { cubeGrid, sample, tangle } from "./testing/fields.ts";

describe("the tangle field", () => {
  it("has 160 triangles and 72 vertices on 4³ cells at 0.5", async () => {
    const grid = cubeGrid([5, 5, 5]);
    const mesh = await isosurface(grid, sample(grid, tangle), 0.5);
    expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([160, 72]);
    expect(countEdges(mesh)).toEqual({ edges: 240, boundary: 0, irregular: 0 });
    expect(eulerCharacteristic(mesh)).toBe(-8);
  });
});
