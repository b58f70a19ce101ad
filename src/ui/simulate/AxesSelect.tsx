import { NativeSelect } from "@mantine/core";
import type { LatticePlane } from "../../engine/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./SimulationPanel.module.css";
import { axesFor, withAxis } from "./shown-axes.ts";

interface Props {
  readonly size: readonly number[];
  readonly axes: LatticePlane["axes"];
}

/** Which axes of the lattice are seen along x, y and z, of lattices with more than two. */
export function AxesSelect({ size, axes }: Props) {
  const { lattice } = useSession();
  const isBusy = useApp(({ job }) => job !== undefined);
  if (size.length < 3) return null;
  return (
    <fieldset className={styles.axes}>
      <legend>Shown axes</legend>
      {["x", "y", "z"].slice(0, axes.length + 1).map((letter, place) => (
        <NativeSelect
          key={letter}
          size="xs"
          label={`Along ${letter}`}
          disabled={isBusy}
          value={axes[place] === undefined ? "" : String(axes[place])}
          onChange={({ currentTarget: { value } }) =>
            void lattice.setAxes(withAxis(axes, place, value === "" ? undefined : Number(value)))
          }
          data={[
            ...(place > 0 ? [{ value: "", label: "None" }] : []),
            ...axesFor(size.length, axes, place).map((axis) => ({
              value: String(axis),
              label: `Axis ${axis}`,
            })),
          ]}
        />
      ))}
    </fieldset>
  );
}
