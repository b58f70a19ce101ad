import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Implicit } from "../../core/layers.ts";
import { ExactTopology } from "./ExactTopology.tsx";
import { NamedSlider } from "./NamedSlider.tsx";
import PlaneControls from "./PlaneControls.tsx";
import { TripleFields } from "./TripleFields.tsx";
import { useBounds } from "./use-bounds.ts";
import type { LayerEdits } from "./use-layer.ts";

interface Props {
  readonly by: Implicit;
  readonly edits: LayerEdits;
}

/** What a cut is cut with. */
export function CutControls({ by, edits }: Props) {
  switch (by.kind) {
    case "plane":
      return (
        <PlaneControls
          name="Plane"
          plane={by.plane}
          onChange={(deed, plane, gesture) =>
            edits.changeShape(deed, { by: { kind: "plane", plane } }, gesture)
          }
        />
      );
    case "sphere":
      return <SphereControls sphere={by} edits={edits} />;
    case "expression":
      return <ExpressionControls expression={by} edits={edits} />;
  }
}

type Sphere = Extract<Implicit, { kind: "sphere" }>;

function SphereControls({ sphere, edits }: { sphere: Sphere; edits: LayerEdits }) {
  const [x0, x1, y0, y1, z0, z1] = useBounds();
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
        onCommit={(center) => edits.changeShape("sphere centre", { by: { ...sphere, center } })}
      />
    </>
  );
}

type ExpressionCut = Extract<Implicit, { kind: "expression" }>;

function ExpressionControls({ expression, edits }: { expression: ExpressionCut; edits: LayerEdits }) {
  const { text, value } = expression;
  const [draft, setDraft] = useState(text);
  // Undo, or an expression that could not be computed, brings another text from outside.
  useEffect(() => setDraft(text), [text]);
  const { field } = edits.facts;
  const commit = (): void => {
    if (draft.trim() === "") setDraft(text);
    else if (draft !== text)
      edits.changeShape("cut expression", { by: { ...expression, text: draft.trim() } });
  };
  const press = ({ key }: KeyboardEvent): void => {
    if (key === "Enter") commit();
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
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={commit}
        onKeyDown={press}
        styles={{ input: { fontFamily: "var(--mono)" } }}
      />
      <NamedSlider
        name="equals"
        exactName="Value of the cut"
        value={value}
        range={field ?? { min: value, max: value }}
        onMove={(latest, gesture) =>
          edits.changeShape("cut value", { by: { ...expression, value: latest } }, gesture)
        }
      />
      <ExactTopology
        topology={expression.topology}
        onChange={(topology) => edits.changeShape("topology", { by: { ...expression, topology } })}
      />
    </>
  );
}
