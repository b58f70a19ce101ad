import { expect, it } from "vitest";
import type { Triple } from "../../../core/grid.ts";
import type { PooledBuffer } from "../../device/pool.ts";
import type { GridTables } from "../../fields/grid-tables.ts";
import type { ScalarSurfaceSource } from "../surface-source.ts";
import { checkSource } from "./source.ts";

function bytesOn(dims: Triple): ScalarSurfaceSource {
  const buffer = {} as PooledBuffer;
  const tables: GridTables = { dims, center: [0, 0, 0], buffer, offsets: [0, 0, 0], total: 0 };
  const count = dims[0] * dims[1] * dims[2];
  const field = { name: "scan", centering: "node", components: 1, dims, count, buffer, dtype: "u8" } as const;
  return { tables, field };
}

it("refuses grids with more edges than 32 bits number", () => {
  expect(() => checkSource(bytesOn([1126, 1126, 1129]))).not.toThrow();
  expect(() => checkSource(bytesOn([1126, 1128, 1128]))).toThrow("the grid has 1,432,704,384");
});
