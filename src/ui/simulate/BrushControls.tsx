import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { formatNumber } from "../../core/format.ts";
import type { LatticeBrushLimits } from "../../engine/api.ts";
import { Toggle } from "../controls/Toggle.tsx";
import { NamedSlider } from "../layers/NamedSlider.tsx";
import { useSession } from "../session-context.tsx";
import type { Brush } from "../store/lattice.ts";
import styles from "./SimulationPanel.module.css";

interface Props {
  readonly limits: LatticeBrushLimits;
  readonly brush: Brush | undefined;
}

/** Draws on the lattice with the pointer: sites within a radius get a value. */
export function BrushControls({ limits, brush }: Props) {
  const { lattice } = useSession();
  const { min, max, isWhole, note } = limits;
  const [chosen, setChosen] = useState({ radius: 4, value: max, isErasing: false });
  const brushOf = ({ radius, value, isErasing }: typeof chosen): Brush => ({
    radius,
    value: isErasing ? min : value,
  });
  const change = (part: Partial<typeof chosen>): void => {
    const next = { ...chosen, ...part };
    setChosen(next);
    if (brush) lattice.setBrush(brushOf(next));
  };
  return (
    <div className={styles.brush}>
      <Toggle
        label="Draw with the pointer"
        title="Dragging sets sites instead of turning the view; with Shift it moves the view"
        checked={brush !== undefined}
        onChange={(isOn) => lattice.setBrush(isOn ? brushOf(chosen) : undefined)}
      />
      {brush && (
        <>
          {note && <p className={styles.about}>{note}</p>}
          <NamedSlider
            name="Brush radius"
            value={chosen.radius}
            range={{ min: 0, max: 64 }}
            onMove={(radius) => change({ radius: Math.max(0, Math.round(radius)) })}
          />
          <Toggle
            label="Erase"
            title={`Sets sites to ${formatNumber(min)}, the lowest value`}
            checked={chosen.isErasing}
            onChange={(isErasing) => change({ isErasing })}
          />
          {chosen.isErasing ? null : isWhole ? (
            <NativeSelect
              size="xs"
              label="Brush value"
              value={String(chosen.value)}
              onChange={({ currentTarget }) => change({ value: Number(currentTarget.value) })}
              data={wholeValues(min, max).map(String)}
            />
          ) : (
            <NamedSlider
              name="Brush value"
              value={chosen.value}
              range={{ min, max }}
              onMove={(value) => change({ value: Math.min(max, Math.max(min, value)) })}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Spins have −1 and 1, and no 0. */
const wholeValues = (min: number, max: number): number[] =>
  min === -1 && max === 1 ? [-1, 1] : Array.from({ length: max - min + 1 }, (_, k) => min + k);
