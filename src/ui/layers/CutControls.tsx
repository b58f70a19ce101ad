import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Implicit } from "../../core/layers.ts";
import { NamedSlider } from "./NamedSlider.tsx";
import PlaneControls from "./PlaneControls.tsx";
import { TrilinearTopology } from "./TrilinearTopology.tsx";
import { TripleFields } from "./TripleFields.tsx";
import { useBounds } from "./use-bounds.ts";
import type { LayerEdits } from "./use-layer.ts";

interface Props {
  readonly by: Implicit;
  readonly edits: LayerEdits;
  /** Resolves to false if the expression cannot be computed. */
  readonly onExpression: (text: string) => Promise<boolean>;
}

/** Controls for the plane, sphere or expression that a cut follows. */
export function CutControls({ by, edits, onExpression }: Props) {
  switch (by.kind) {
    case "plane":
      return (
        <PlaneControls
          name="Plane"
          plane={by.plane}
          onChange={(action, plane, gesture) =>
            edits.changeShape(action, { by: { kind: "plane", plane } }, gesture)
          }
        />
      );
    case "sphere":
      return <SphereControls sphere={by} edits={edits} />;
    case "expression":
      return <ExpressionControls expression={by} edits={edits} onText={onExpression} />;
  }
}

type Sphere = Extract<Implicit, { kind: "sphere" }>;

function SphereControls({ sphere, edits }: { sphere: Sphere; edits: LayerEdits }) {
  const bounds = useBounds();
  const [x0, x1, y0, y1, z0, z1] = bounds;
  const largest = 0.5 * Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1;
  return (
    <>
      <NamedSlider
        name="Radius"
        value={sphere.radius}
        range={{ min: 0, max: largest }}
        onMove={(radius, gesture) =>
          edits.changeShape(
            "sphere radius",
            { by: { ...sphere, radius: Math.max(radius, 1e-6 * largest) } },
            gesture,
          )
        }
      />
      <TripleFields
        legend="Centre"
        value={sphere.center}
        bounds={bounds}
        onCommit={(center) => edits.changeShape("sphere centre", { by: { ...sphere, center } })}
      />
    </>
  );
}

type ExpressionCut = Extract<Implicit, { kind: "expression" }>;

interface ExpressionProps {
  readonly expression: ExpressionCut;
  readonly edits: LayerEdits;
  readonly onText: (text: string) => Promise<boolean>;
}

function ExpressionControls({ expression, edits, onText }: ExpressionProps) {
  const { text, value } = expression;
  const [draft, setDraft] = useState(text);
  /** A text that could not be computed, kept so that it can be corrected. */
  const [failed, setFailed] = useState<string>();
  // Undo can change the text from outside.
  useEffect(() => setDraft(text), [text]);
  const { field } = edits.facts;
  const commit = async (): Promise<void> => {
    const latest = draft.trim();
    if (latest === "") setDraft(text);
    else if (latest !== text && latest !== failed) setFailed((await onText(latest)) ? undefined : latest);
  };
  const press = ({ key }: KeyboardEvent): void => {
    if (key === "Enter") void commit();
    else if (key === "Escape") setDraft(text);
  };
  return (
    <>
      <TextInput
        size="xs"
        label="Cut where"
        autoComplete="off"
        spellCheck={false}
        value={draft}
        error={draft.trim() === failed}
        data-committed={draft === text || undefined}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={() => void commit()}
        onKeyDown={press}
        styles={{ input: { fontFamily: "var(--mono)" } }}
      />
      <NamedSlider
        name="equals"
        exactName="Cut value"
        value={value}
        range={field ?? { min: value, max: value }}
        onMove={(latest, gesture) =>
          edits.changeShape("cut value", { by: { ...expression, value: latest } }, gesture)
        }
      />
      <TrilinearTopology
        topology={expression.topology}
        onChange={(topology) => edits.changeShape("topology", { by: { ...expression, topology } })}
      />
    </>
  );
}
