import { locateCell } from "../../core/cell-location.ts";
import { fieldNamed } from "../../core/field.ts";
import type { Triple } from "../../core/grid.ts";
import type { Layer } from "../../core/layers.ts";
import type { Hit } from "../../viewer/viewer.ts";
import type { ProbeReport } from "../api.ts";
import type { FieldValue } from "../derived.ts";
import { isovaluesOf, type ShapeField } from "../layers/shape-surface.ts";
import type { Session } from "../session.ts";
import { namedFields, namesElsewhere, valuesOf } from "./field-values.ts";

/** Asks who has them for the components of fields at a position, in the cell that holds `inside`. */
export type AskPlace = (
  names: readonly string[],
  position: Triple,
  inside: Triple,
) => Promise<readonly (readonly number[])[]>;

/**
 * Reports on a position on a surface; `field` is the surface's own. Fields whose values are elsewhere are asked for by `ask`,
 * and left out without it. Reads of fields are submitted before it returns to
 * its caller, so that they may be freed then. Throws DeviceLost.
 */
export async function surfaceReport(
  session: Session,
  layer: Layer,
  field: ShapeField | undefined,
  center: Triple,
  hit: Hit,
  ask?: AskPlace,
): Promise<ProbeReport> {
  const position = plus(hit.position, center);
  const inside = plus(hit.middle, center);
  const place = locateCell(session.data.dataSet.grid, position, inside);
  const named = namedFields(session);
  const isovalues = isovaluesOf(layer.shape);
  const own = field && isovalues.length > 1 ? fieldValue(session, field) : undefined;
  const asked = [...named.map(({ value }) => value), ...(own ? [own] : [])];
  const elsewhere = ask ? namesElsewhere(session) : [];
  const [values, others] = await Promise.all([
    valuesOf(session.device.gpu, asked, place),
    ask && elsewhere.length > 0 ? ask(elsewhere, position, inside) : [],
  ]);
  return {
    position,
    layer: layer.id,
    triangle: hit.part,
    cell: place.cell,
    isovalue: isovalues.length > 1 ? own && nearest(isovalues, values[named.length][0]) : isovalues[0],
    values: [
      ...named.map(({ name }, i) => ({ name, values: values[i] })),
      ...elsewhere.map((name, i) => ({ name, values: others[i] })),
    ],
  };
}

/** Undefined if it is already freed because the layer is about to show another. */
function fieldValue(session: Session, { value }: ShapeField): FieldValue | undefined {
  if (value.kind === "stored") {
    const field = fieldNamed(session.data.dataSet, value.field.name);
    return field && { kind: "host", field };
  }
  const isFreed = value.kind === "gpu" && !session.device.gpu?.pool.holds(value.field.buffer.buffer);
  return isFreed ? undefined : value;
}

const plus = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

function nearest(numbers: readonly number[], to: number): number | undefined {
  return numbers.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))[0];
}
