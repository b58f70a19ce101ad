import { all, type ConstantValues, own } from "../../core/primitives/access.ts";
import type { Inputs, Slots } from "../../core/primitives/kernel.ts";
import type { FieldValues } from "../../core/statistics.ts";

/** How functions of a field's elements read them: their text sees `this_element()`. */
interface Elements {
  readonly inputs: Inputs;
  readonly constants: Slots;
  readonly functions: string;
}

const kinds = `
const is_number = 0u;
const is_infinity = 1u;
const is_no_number = 2u;

struct Element {
  value: f32,
  kind: u32,
}

fn kind_of(x: f32) -> u32 {
  return select(select(is_infinity, is_no_number, isNan(x)), is_number, isFinite(x));
}
`;

/** A scalar without its offset: each element reads its own, so that a rank needs no others. */
const scalarElements: Elements = {
  inputs: { values: { type: "f32", access: own } },
  constants: {},
  functions: `${kinds}
fn this_element() -> Element {
  let x = values();
  return Element(x, kind_of(x));
}`,
};

/** The magnitude of several components with their offsets, scaled by the greatest so that squares do not overflow. */
const vectorElements: Elements = {
  inputs: { values: { type: "f32", access: all }, offsets: { type: "f32", access: all } },
  constants: {
    components: { type: "u32" },
    element_stride: { type: "u32" },
    component_stride: { type: "u32" },
  },
  functions: `${kinds}
fn this_element() -> Element {
  let first = element * constants.element_stride;
  var kind = is_number;
  var greatest = 0.0;
  for (var c = 0u; c < constants.components; c++) {
    let x = values(first + c * constants.component_stride);
    kind = max(kind, kind_of(x));
    greatest = max(greatest, abs(x + offsets(c)));
  }
  if (kind != is_number || greatest == 0.0) {
    return Element(0.0, kind);
  }
  var squares = 0.0;
  for (var c = 0u; c < constants.components; c++) {
    let x = (values(first + c * constants.component_stride) + offsets(c)) / greatest;
    squares += x * x;
  }
  return Element(min(greatest * sqrt(squares), 3.4028234663852886e38), kind);
}`,
};

interface ByElements<R> {
  readonly scalar: R;
  readonly vector: R;
}

/** A function of elements for scalars, and one for several components. */
export const byElements = <R>(make: (elements: Elements) => R): ByElements<R> => ({
  scalar: make(scalarElements),
  vector: make(vectorElements),
});

/** Magnitudes that are made at a time. */
const blockLength = 2048;

interface Bound {
  readonly inputs: Readonly<Record<string, ArrayLike<number>>>;
  readonly constants: ConstantValues;
}

/**
 * The same in JavaScript: calls `look` for numbers [from, to) of arrays, which are elements from + first on. Magnitudes are NaN
 * where any component is, ∞ where any is infinite; squares of f64 that overflow make them infinite, too.
 */
export function lookAtElements(
  bound: Bound,
  from: number,
  to: number,
  look: (numbers: ArrayLike<number>, from: number, to: number, first: number) => void,
): void {
  if (!("components" in bound.constants)) {
    look(bound.inputs.values, from, to, 0);
    return;
  }
  const block = new Float64Array(Math.min(blockLength, to - from));
  for (let first = from; first < to; first += block.length) {
    const length = Math.min(block.length, to - first);
    takeMagnitudes(bound, first, length, block);
    look(block, 0, length, first);
  }
}

function takeMagnitudes({ inputs, constants }: Bound, from: number, length: number, block: Float64Array) {
  const { values, offsets } = inputs;
  const components = Number(constants.components);
  const elementStride = Number(constants.element_stride);
  const componentStride = Number(constants.component_stride);
  if (components === 3) {
    const [x0, y0, z0] = [offsets[0], offsets[1], offsets[2]];
    for (let i = 0, at = from * elementStride; i < length; i++, at += elementStride) {
      const x = values[at] + x0;
      const y = values[at + componentStride] + y0;
      const z = values[at + 2 * componentStride] + z0;
      block[i] = Math.sqrt(x * x + y * y + z * z);
    }
    return;
  }
  for (let i = 0; i < length; i++) {
    let at = (from + i) * elementStride;
    let squares = 0;
    for (let c = 0; c < components; c++) {
      const x = values[at] + offsets[c];
      squares += x * x;
      at += componentStride;
    }
    block[i] = Math.sqrt(squares);
  }
}

/** Runs a function of elements on those of a field: with its inputs and constants, and what else it is given. */
export async function withElements<F, R>(
  { primitives, values, components, elementStride, componentStride, offsets }: FieldValues,
  functions: ByElements<F>,
  run: (
    of: F,
    inputs: Readonly<Record<string, FieldValues["values"]>>,
    constants: Readonly<Record<string, number>>,
  ) => Promise<R>,
): Promise<R> {
  if (components === 1) return run(functions.scalar, { values }, {});
  const added = primitives.fromHost("f32", Float32Array.from(offsets));
  try {
    return await run(
      functions.vector,
      { values, offsets: added },
      { components, element_stride: elementStride, component_stride: componentStride },
    );
  } finally {
    added.release();
  }
}

/** What is added to a scalar's values: magnitudes have their offsets in them. */
export const offsetOf = ({ components, offsets }: FieldValues): number => (components === 1 ? offsets[0] : 0);
