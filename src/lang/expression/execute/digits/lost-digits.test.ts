import { describe, expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import type { Grid } from "../../../../core/grid.ts";
import { compile } from "../../compile.ts";
import { dataSetOf, sampledField, uniformGrid } from "../testing/data-sets.ts";
import { lostDigits } from "./lost-digits.ts";

const grid = uniformGrid([40, 12, 9]);
const wide = (name: string, of: (x: number, y: number, z: number) => number) => {
  const field = sampledField(grid, name, "node", (x, y, z) => [x, y, z]);
  const places = Float64Array.from(field.data as Float32Array);
  const data = Float64Array.from({ length: places.length / 3 }, (_, i) =>
    of(places[3 * i], places[3 * i + 1], places[3 * i + 2]),
  );
  return makeField(grid, name, "node", 1, data);
};
const dataSet = dataSetOf(
  grid,
  wide("off", (x, y) => 1e8 + Math.sin(7 * x + y)),
  wide("t", (x) => 1.7e9 + 300 * x),
  wide("share", (x, y, z) => Math.cos(3 * x * y + z) ** 2),
  wide("pressure", (x, y) => 101325 + 1000 * Math.sin(5 * x + y)),
  sampledField(grid, "single", "node", (x, y) => 1e6 + x + y),
  sampledField(grid, "v", "node", (x, y, z) => [y * x, Math.sin(x), z]),
  makeField(
    grid,
    "id",
    "node",
    1,
    Int32Array.from({ length: 40 * 12 * 9 }, (_, i) => i % 7),
  ),
);
const lost = async (text: string, on = dataSet) => {
  const network = compile(text, on.fields);
  return lostDigits(network, [network.outputs[network.outputs.length - 1].name], on);
};

describe("single precision", () => {
  it.each([
    "off * 2 - 200000000",
    "off",
    "off * off - 1e16",
    "magnitude(gradient(off * off))",
    "gaussian(t)",
    "stddev(t)",
    "max(t) - min(t)",
    "histogram(t, 3)",
    "entropy(t)",
    "2 * t > 3400000300",
    "if 2 * t > 3400000300 then 1 else 0",
    "share + 1e8 - 1e8",
    "{share, off, share}",
    "single + 1e9 - 1e9",
  ])("loses the digits of %s", async (text) => {
    expect(await lost(text)).toEqual(["result"]);
  });

  it.each([
    "off - 100000000",
    "off - 99999999.5 > 0.5",
    "t - 1.7e9",
    "off > 1e8",
    "magnitude(gradient(2 * off))",
    "share",
    "sqrt(share) + sin(10 * share) / 3",
    "share - avg(share)",
    "2 * pressure",
    "pressure",
    "(pressure - avg(pressure)) / stddev(pressure)",
    "laplacian(pressure)",
    "histogram(pressure, 20)",
    "floor(10 * share)",
    "if share > 0.5 then share else 0",
    "x >= 0.5",
    "coords()",
    "id * 3 == 6",
    "single",
    "2 * single",
    "q_criterion(v)",
    "share * 0 + 5",
  ])("keeps those of %s", async (text) => {
    expect(await lost(text)).toEqual([]);
  });

  it("loses positions that are far from the origin", async () => {
    const far: Grid = { kind: "uniform", dims: [9, 8, 7], origin: [5e6, 0, 0], spacing: [0.1, 1, 1] };
    const on = dataSetOf(far);
    expect(await lost("x * 2", on)).toEqual(["result"]);
    expect(await lost("y * 2", dataSetOf(uniformGrid([9, 8, 7])))).toEqual([]);
  });
});
