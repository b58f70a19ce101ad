import { nearestPoints } from "../../algorithms/kd-tree/queries.ts";
import { locateCell } from "../../core/cell-location.ts";
import type { Triple } from "../../core/grid.ts";
import type { NearPoint, ProbeReport, ProbeValue } from "../api.ts";
import type { GpuPoints } from "../points/gpu-points.ts";
import type { Session } from "../session.ts";
import { namedFields, valuesOf } from "./field-values.ts";

/** Number of nearest points that are reported, including the point itself. */
const neighbours = 8;

/**
 * Reports on a point and those around it; undefined if other data are open by then. Throws DeviceLost, and Cancelled if
 * the points are released meanwhile.
 */
export async function pointReport(
  session: Session,
  layer: string,
  points: GpuPoints,
  index: number,
): Promise<ProbeReport | undefined> {
  const { positions } = points.set;
  const positionOf = (i: number): Triple => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  const position = positionOf(index);
  const { dimensions, ...tree } = await points.tree();
  if (session.data.points !== points.set) return undefined;
  const place = position.map((c, axis) => c - points.center[axis]).slice(0, dimensions);
  const found = nearestPoints({ dimensions, ...tree }, place, Math.min(neighbours, points.count));
  // The point itself is reported first, even if others are at the same position.
  const order = [index, ...[...found.ids].filter((id) => id !== index)].slice(0, found.ids.length);
  const nearest = await Promise.all(
    order.map(async (id): Promise<NearPoint> => {
      const at = positionOf(id);
      const distance = Math.hypot(...at.map((c, axis) => c - position[axis]));
      return { index: id, distance, position: at, values: await valuesOfPoint(session, id) };
    }),
  );
  const { values } = nearest[0];
  return { position, layer, triangle: undefined, cell: undefined, isovalue: undefined, values, nearest };
}

async function valuesOfPoint(session: Session, index: number): Promise<ProbeValue[]> {
  const named = namedFields(session);
  const place = locateCell(session.data.dataSet.grid, [index, 0, 0]);
  const values = await valuesOf(
    session.device.gpu,
    named.map(({ value }) => value),
    place,
  );
  return named.map(({ name }, i) => ({ name, values: values[i] }));
}
