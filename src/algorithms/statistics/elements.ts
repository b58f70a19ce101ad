import { all } from "../../core/primitives/access.ts";
import type { FieldValues } from "../../core/statistics.ts";

/** What functions of a field's elements read. */
export const elementInputs = {
  values: { type: "f32", access: all },
  offsets: { type: "f32", access: all },
} as const;

export const elementConstants = {
  components: { type: "u32" },
  element_stride: { type: "u32" },
  component_stride: { type: "u32" },
} as const;

interface Elements {
  readonly inputs: { readonly values: ArrayLike<number>; readonly offsets: ArrayLike<number> };
  readonly constants: {
    readonly components: number;
    readonly element_stride: number;
    readonly component_stride: number;
  };
}

/**
 * What statistics are about: a scalar without its offset, or the magnitude of several components with theirs, scaled by
 * the greatest so that squares do not overflow.
 */
export const elementFunctions = `
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

fn element_at(i: u32) -> Element {
  if (constants.components == 1u) {
    let x = values(i);
    return Element(x, kind_of(x));
  }
  let first = i * constants.element_stride;
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
}
`;

/** Magnitudes that are made at a time. */
const blockLength = 2048;

/**
 * The same in JavaScript: calls `look` for numbers [from, to) of arrays, which are elements from + first on. Magnitudes are NaN
 * where any component is, ∞ where any is infinite; squares of f64 that overflow make them infinite, too.
 */
export function lookAtElements(
  elements: Elements,
  from: number,
  to: number,
  look: (numbers: ArrayLike<number>, from: number, to: number, first: number) => void,
): void {
  if (elements.constants.components === 1) {
    look(elements.inputs.values, from, to, 0);
    return;
  }
  const block = new Float64Array(Math.min(blockLength, to - from));
  for (let first = from; first < to; first += block.length) {
    const length = Math.min(block.length, to - first);
    takeMagnitudes(elements, first, length, block);
    look(block, 0, length, first);
  }
}

function takeMagnitudes({ inputs, constants }: Elements, from: number, length: number, block: Float64Array) {
  const { values, offsets } = inputs;
  const { components, element_stride, component_stride } = constants;
  if (components === 3) {
    const [x0, y0, z0] = [offsets[0], offsets[1], offsets[2]];
    for (let i = 0, at = from * element_stride; i < length; i++, at += element_stride) {
      const x = values[at] + x0;
      const y = values[at + component_stride] + y0;
      const z = values[at + 2 * component_stride] + z0;
      block[i] = Math.sqrt(x * x + y * y + z * z);
    }
    return;
  }
  for (let i = 0; i < length; i++) {
    let at = (from + i) * element_stride;
    let squares = 0;
    for (let c = 0; c < components; c++) {
      const x = values[at] + offsets[c];
      squares += x * x;
      at += component_stride;
    }
    block[i] = Math.sqrt(squares);
  }
}

/** Runs what reads a field's elements: with its inputs and constants, and what else it is given. */
export async function withElements<R>(
  { primitives, values, components, elementStride, componentStride, offsets }: FieldValues,
  run: (
    inputs: { readonly [N in keyof typeof elementInputs]: FieldValues["values"] },
    constants: { readonly [N in keyof typeof elementConstants]: number },
  ) => Promise<R>,
): Promise<R> {
  const added = primitives.fromHost("f32", Float32Array.from(offsets));
  try {
    return await run(
      { values, offsets: added },
      { components, element_stride: elementStride, component_stride: componentStride },
    );
  } finally {
    added.release();
  }
}

/** What is added to a scalar's values: magnitudes have their offsets in them. */
export const offsetOf = ({ components, offsets }: FieldValues): number => (components === 1 ? offsets[0] : 0);
