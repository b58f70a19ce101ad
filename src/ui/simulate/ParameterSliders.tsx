import type { LatticeParameterSummary } from "../../engine/api.ts";
import { NamedSlider } from "../layers/NamedSlider.tsx";
import { useSession } from "../session-context.tsx";
import { sliderRange } from "./lattice-form.ts";
import styles from "./SimulationPanel.module.css";

interface Props {
  readonly axes: number;
  readonly parameters: readonly LatticeParameterSummary[];
  readonly values: Readonly<Record<string, number>>;
}

/** Parameters that act while the lattice runs; those that are fixed are said. */
export function ParameterSliders({ axes, parameters, values }: Props) {
  const { lattice } = useSession();
  const fixed = parameters.filter(({ isFixed }) => isFixed);
  const free = parameters.filter(({ isFixed }) => !isFixed);
  return (
    <div className={styles.sliders}>
      {fixed.length > 0 && (
        <p className={styles.about}>
          {fixed.map(({ name, label }) => `${label}: ${values[name]}`).join(", ")}
        </p>
      )}
      {free.map((parameter) => {
        const { name, label, meaning, min, max } = parameter;
        const value = values[name];
        return (
          <NamedSlider
            key={name}
            name={label}
            hint={`${name}: ${meaning}`}
            value={value}
            range={sliderRange(parameter, axes, value)}
            onMove={(moved) => lattice.setParameter(name, Math.min(max, Math.max(min, moved)))}
          />
        );
      })}
    </div>
  );
}
