import type { Layer } from "../../core/layers.ts";
import { useSession } from "../session-context.tsx";
import { CutControls } from "./CutControls.tsx";
import { NamedSlider } from "./NamedSlider.tsx";
import { SliceControls } from "./SliceControls.tsx";
import { ThresholdControls } from "./ThresholdControls.tsx";
import type { LayerEdits } from "./use-layer.ts";

interface Props {
  readonly layer: Layer;
  readonly edits: LayerEdits;
}

/** Controls for the shape of a layer other than an isosurface. */
export default function ShapeControls({ layer: { id, shape }, edits }: Props) {
  const { layers } = useSession();
  switch (shape.kind) {
    case "isosurface":
    case "image":
      return null;
    case "threshold":
      return (
        <ThresholdControls shape={shape} edits={edits} onField={(field) => void layers.follow(id, field)} />
      );
    case "slice":
      return <SliceControls shape={shape} edits={edits} />;
    case "cut":
      return (
        <CutControls key={id} by={shape.by} edits={edits} onExpression={(text) => layers.follow(id, text)} />
      );
    case "points":
      return (
        <NamedSlider
          name="Point size"
          value={shape.size}
          range={{ min: 1, max: 20 }}
          onMove={(size, gesture) => edits.changeShape("point size", { size: Math.max(size, 0.5) }, gesture)}
        />
      );
  }
}
