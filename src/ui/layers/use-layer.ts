import { useCallback } from "react";
import type { Layer, LayerPaint, LayerShape } from "../../core/layers.ts";
import { useApp, useSession } from "../session-context.tsx";
import { factsOf, type LayerFacts } from "../store/layers/state.ts";

/** A shape of one kind. */
export type ShapeOf<Kind extends LayerShape["kind"]> = Extract<LayerShape, { readonly kind: Kind }>;

/** What controls need to change a shape; `name` names the step of the history. */
export type ChangeShape<Shape extends LayerShape> = (
  name: string,
  change: Partial<Shape>,
  gesture?: number,
) => void;

export interface LayerEdits {
  readonly facts: LayerFacts;
  /** Replaces parts of the shape. */
  changeShape(name: string, change: Partial<LayerShape>, gesture?: number): void;
  changePaint(name: string, change: Partial<LayerPaint>, gesture?: number): void;
  change(name: string, change: Partial<Layer>, gesture?: number): void;
}

/** The actions of a layer's controls, and the layer's facts. */
export function useLayer(id: string): LayerEdits {
  const { layers } = useSession();
  const facts = useApp((state) => factsOf(state.layers, id));
  const action = useCallback(
    (name: string, gesture: number | undefined) => ({
      name,
      key: `${name} ${id}`,
      ...(gesture === undefined ? {} : { gesture }),
    }),
    [id],
  );
  return {
    facts,
    changeShape: (name, change, gesture) =>
      void layers.change(id, action(name, gesture), (layer) => ({
        ...layer,
        shape: { ...layer.shape, ...change } as LayerShape,
      })),
    changePaint: (name, change, gesture) => void layers.changePaint(id, action(name, gesture), change),
    change: (name, change, gesture) =>
      void layers.change(id, action(name, gesture), (layer) => ({ ...layer, ...change })),
  };
}
