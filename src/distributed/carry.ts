import { all, own } from "../core/primitives/access.ts";
import type { BinaryOperator, LocatingOperator, Operator } from "../core/primitives/functions.ts";
import { defineKernel, type Kernel } from "../core/primitives/kernel.ts";
import { isLocating, noPosition } from "../core/primitives/operators.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { keptBy } from "../kernel/element-functions.ts";
import type { Total } from "./totals.ts";
import { elementOf } from "./words.ts";

export interface CarriedScan {
  /** The position of the part's first element in the whole. */
  readonly first: number;
  /** Of all that comes before the part in the scan's direction, with what begins the scan; none where nothing does. */
  readonly carry: Total | undefined;
  readonly isExclusive: boolean;
  readonly reverse: boolean;
}

/** The scan of a part after a carry: a new vector of the local primitives. */
export async function carried<R extends ScalarType>(
  local: Primitives,
  part: Vector,
  operator: Operator,
  type: R,
  scan: CarriedScan,
): Promise<Vector<R>>;
export function carried(
  local: Primitives,
  part: Vector,
  operator: Operator,
  _: ScalarType,
  scan: CarriedScan,
): Promise<Vector> {
  return isLocating(operator)
    ? carriedPositions(local, part, operator, scan)
    : carriedElements(local, part, operator, scan);
}

async function carriedElements(
  local: Primitives,
  part: Vector,
  operator: BinaryOperator,
  { carry, isExclusive, reverse }: CarriedScan,
): Promise<Vector> {
  const { type } = part;
  const before = carry && elementOf(type, carry[0]);
  if (isExclusive) return local.exclusiveScan(part, operator, before, { reverse });
  const scan = await local.inclusiveScan(part, operator, { reverse });
  if (before === undefined) return scan;
  const given = { inputs: { scanned: scan }, constants: { carry: before } };
  const { combined } = await local.forEach(part.length, combining(operator, type), given);
  scan.release();
  return combined;
}

async function carriedPositions(
  local: Primitives,
  part: Vector,
  operator: LocatingOperator,
  { isExclusive, reverse, ...carry }: CarriedScan,
): Promise<Vector> {
  const scan = isExclusive
    ? await local.exclusiveScan(part, operator, undefined, { reverse })
    : await local.inclusiveScan(part, operator, { reverse });
  const positions = await positionsAfter(local, part, operator, scan, carry);
  scan.release();
  return positions;
}

/** Positions in the whole, of positions in a part of it and what was found before. */
export async function positionsAfter(
  local: Primitives,
  part: Vector,
  operator: LocatingOperator,
  places: Vector<"u32">,
  { first, carry = [2 ** 32 - 1, noPosition] }: Pick<CarriedScan, "first" | "carry">,
): Promise<Vector> {
  const [key, position] = carry;
  const given = { inputs: { places, values: part }, constants: { first, key, position } };
  const { found } = await local.forEach(places.length, locating(operator, part.type), given);
  return found;
}

/** The carry, then an element. */
const combining = keptBy((operator: BinaryOperator, key): Kernel => {
  const type = key as ScalarType;
  return defineKernel({
    name: `${operator.name} after a carry`,
    inputs: { scanned: { type, access: own } },
    constants: { carry: { type } },
    outputs: { combined: { type } },
    text: `
      let a = constants.carry;
      let b = scanned();
      out.combined = ${type}(${operator.text(type)});`,
  });
});

/** The better of what was found before and what a part has: the least key, of equal ones the lowest position. */
const locating = keptBy((operator: LocatingOperator, key): Kernel => {
  const type = key as ScalarType;
  return defineKernel({
    name: `${operator.name} after a carry`,
    inputs: { places: { type: "u32", access: own }, values: { type, access: all } },
    constants: { first: { type: "u32" }, key: { type: "u32" }, position: { type: "u32" } },
    outputs: { found: { type: "u32" } },
    text: `
      out.found = constants.position;
      let i = places();
      if (i == ${noPosition}u) { return; }
      let x = values(i);
      let key = ${operator.text(type)};
      let position = i + constants.first;
      if (key < constants.key || (key == constants.key && position < constants.position)) {
        out.found = position;
      }`,
  });
});
