import type { TypedArray } from "../../../../core/dtype.ts";
import { CrinkleError } from "../../../../core/errors.ts";
import { type DataSet, fieldNamed } from "../../../../core/field.ts";
import type { Neighborhood, NumberArray } from "../../filters/filter.ts";
import type { SourceNode } from "../../network/network.ts";
import { componentsOf } from "../../types.ts";
import type { Memory } from "./memory.ts";
import type { StoredArray } from "./task.ts";

/** A data set's arrays as the CPU twins read them. */
export class HostSources {
  readonly #dataSet: DataSet;
  readonly #memory: Memory;
  readonly #numbers = new Map<string, NumberArray>();

  constructor(dataSet: DataSet, memory: Memory) {
    this.#dataSet = dataSet;
    this.#memory = memory;
  }

  /** The field's values, where a twin may read them anywhere. Throws UnknownName. */
  array({ field: name, component, type }: SourceNode): StoredArray {
    const field = fieldNamed(this.#dataSet, name);
    if (!field) {
      throw new CrinkleError({ tag: "UnknownName", problem: `The data set has no field “${name}”.` });
    }
    let values = this.#numbers.get(name);
    if (!values) {
      values = this.#memory.hold(asFloats(field.data));
      this.#numbers.set(name, values);
    }
    return {
      centering: field.centering,
      values,
      components: componentsOf(type.value),
      stride: field.components,
      offset: component ?? 0,
    };
  }
}

/** Exact but for 64-bit integers beyond 2⁵³. Two types of array alone, as loops over more are several times slower. */
function asFloats(data: TypedArray): NumberArray {
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    return Float64Array.from(data as ArrayLike<bigint>, Number);
  }
  return data.BYTES_PER_ELEMENT < 4 ? new Float32Array(data) : new Float64Array(data);
}

/** Copies elements `first` … `first + count − 1` out of an array, component by component. */
export function readElements(input: Neighborhood, first: number, count: number, out: Float64Array): void {
  const { values, components, stride = components, offset = 0 } = input;
  if (stride === components) {
    out.set(values.subarray(first * stride, (first + count) * stride));
    return;
  }
  let from = first * stride + offset;
  for (let e = 0, to = 0; e < count; e++, from += stride) {
    for (let c = 0; c < components; c++) out[to++] = values[from + c];
  }
}
