import type { Layer, LayerShape } from "../../core/layers.ts";
import { isScalarOf, scalarsOf, wholeField } from "../../lang/expression/syntax/field-scalars.ts";

interface NamedField {
  readonly name: string;
  readonly components: number;
}

/**
 * The layer with texts that the field has: of `w`, which was a scalar and is a vector now, `magnitude(w)`. The layer
 * itself if nothing changes.
 */
export function followField(layer: Layer, field: NamedField): Layer {
  const follow = (text: string): string =>
    isScalarOf(field.name, text) && !scalarsOf(field).includes(text) ? wholeField(field) : text;
  const shape = followShape(layer.shape, follow);
  const colorBy = layer.colorBy === undefined ? undefined : follow(layer.colorBy);
  return shape === layer.shape && colorBy === layer.colorBy ? layer : { ...layer, shape, colorBy };
}

function followShape(shape: LayerShape, follow: (text: string) => string): LayerShape {
  if (shape.kind === "isosurface" || shape.kind === "threshold") {
    const field = follow(shape.field);
    return field === shape.field ? shape : { ...shape, field };
  }
  if (shape.kind !== "cut" || shape.by.kind !== "expression") return shape;
  const text = follow(shape.by.text);
  return text === shape.by.text ? shape : { ...shape, by: { ...shape.by, text } };
}
