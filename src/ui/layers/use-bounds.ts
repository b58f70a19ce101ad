import type { Bounds } from "../../core/grid.ts";
import { useApp } from "../session-context.tsx";

const unitBox: Bounds = [0, 1, 0, 1, 0, 1];

/** The bounds of the data. */
export function useBounds(): Bounds {
  return useApp(({ data: { dataSet } }) => dataSet?.grid?.bounds ?? dataSet?.points?.bounds ?? unitBox);
}
