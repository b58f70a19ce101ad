import type { Triple } from "../../core/grid.ts";
import { placeIn } from "../../core/grid-place.ts";
import type { Layer } from "../../core/layers.ts";
import type { Hit } from "../../viewer/viewer.ts";
import type { ProbeReport } from "../api.ts";
import type { FieldValue } from "../derived.ts";
import { isovaluesOf, type ShapeField } from "../layers/shape-surface.ts";
import type { Session } from "../session.ts";
import { namedFields, valuesOf } from "./field-values.ts";

/** What is to be said of a place on a surface; `field` is what the surface is of. Throws DeviceLost. */
export async function surfaceReport(
  session: Session,
  layer: Layer,
  field: ShapeField | undefined,
  center: Triple,
  hit: Hit,
): Promise<ProbeReport> {
  const position = plus(hit.position, center);
  const place = placeIn(session.data.dataSet.grid, position, plus(hit.middle, center));
  const named = namedFields(session);
  const isovalues = isovaluesOf(layer.shape);
  const own = field && isovalues.length > 1 ? [await fieldValue(session, field)] : [];
  const values = await valuesOf(session.device.gpu, [...named.map(({ value }) => value), ...own], place);
  const [ownValue = 0] = values[named.length] ?? [];
  return {
    position,
    layer: layer.id,
    triangle: hit.part,
    cell: place.cell,
    isovalue: nearest(isovalues, ownValue),
    values: named.map(({ name }, i) => ({ name, values: values[i] })),
  };
}

async function fieldValue(session: Session, { value }: ShapeField): Promise<FieldValue> {
  if (value.kind !== "stored") return value;
  return { kind: "host", field: await session.hostField(value.field.name) };
}

const plus = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

function nearest(numbers: readonly number[], to: number): number | undefined {
  return numbers.toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))[0];
}
