import { CrinkleError } from "../../../../core/errors.ts";
import { type DataSet, type Field, fieldNamed } from "../../../../core/field.ts";
import { type Centering, gridPart, type Triple, valueCoordinates, valueDims } from "../../../../core/grid.ts";
import type { MeshPlace, Neighborhood } from "../../filters/filter.ts";
import type { SourceNode } from "../../network/network.ts";
import { componentsOf } from "../../types.ts";

/** A data set's arrays as the CPU twins read them. */
export class HostSources {
  readonly #dataSet: DataSet;
  readonly #widened = new Map<string, Float64Array>();
  readonly #coordinates = new Map<Centering, readonly [Float64Array, Float64Array, Float64Array]>();

  constructor(dataSet: DataSet) {
    this.#dataSet = dataSet;
  }

  dims(centering: Centering): Triple {
    return valueDims(this.#dataSet.grid, centering);
  }

  coordinates(centering: Centering): readonly [Float64Array, Float64Array, Float64Array] {
    let axes = this.#coordinates.get(centering);
    if (!axes) {
      const along = (axis: number) => valueCoordinates(this.#dataSet.grid, centering, axis);
      axes = [along(0), along(1), along(2)];
      this.#coordinates.set(centering, axes);
    }
    return axes;
  }

  /** What values made of the grid alone are made of. */
  place(centering: Centering): MeshPlace {
    const { grid } = this.#dataSet;
    return {
      centering,
      dims: this.dims(centering),
      coordinates: this.coordinates(centering),
      nodes: this.coordinates("node"),
      part: gridPart(grid),
    };
  }

  /** The field's own array, where a twin may read it anywhere. Throws UnknownName. */
  neighborhood({ field: name, component, type }: SourceNode): Neighborhood {
    const field = fieldNamed(this.#dataSet, name);
    if (!field) {
      throw new CrinkleError({ tag: "UnknownName", problem: `The data set has no field “${name}”.` });
    }
    return {
      dims: this.dims(field.centering),
      values: this.#numbers(field),
      components: componentsOf(type.value),
      stride: field.components,
      offset: component ?? 0,
      coordinates: this.coordinates(field.centering),
    };
  }

  #numbers(field: Field): ArrayLike<number> {
    const { data } = field;
    if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return data;
    let numbers = this.#widened.get(field.name);
    if (!numbers) {
      numbers = Float64Array.from(data as ArrayLike<bigint>, Number);
      this.#widened.set(field.name, numbers);
    }
    return numbers;
  }
}

/** Copies elements `first` … `first + count − 1` out of an array, component by component. */
export function readElements(input: Neighborhood, first: number, count: number, out: Float64Array): void {
  const { values, components, stride = components, offset = 0 } = input;
  let from = first * stride + offset;
  for (let e = 0, to = 0; e < count; e++, from += stride) {
    for (let c = 0; c < components; c++) out[to++] = values[from + c];
  }
}
