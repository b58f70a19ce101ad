import { Button, NativeSelect } from "@mantine/core";
import type { LatticeState } from "../../engine/api.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useSession } from "../session-context.tsx";
import styles from "./SimulationPanel.module.css";

/** Sweeps between two pictures. */
const speeds = [0.25, 0.5, 1, 2, 4, 10, 25, 50, 100, 250, 500, 1000] as const;

const speedLabel = (speed: number): string =>
  speed < 1 ? `1 sweep in ${1 / speed} pictures` : `${speed} ${speed === 1 ? "sweep" : "sweeps"} a picture`;

export function RunControls({ state }: { state: LatticeState }) {
  const { lattice } = useSession();
  const { run, sweeps, sweepsPerSecond, picturesPerSecond } = state;
  const known = speeds.some((speed) => speed === run.sweepsPerPicture);
  const options = known ? speeds : [...speeds, run.sweepsPerPicture];
  const rate = run.isRunning
    ? `${Math.round(sweepsPerSecond).toLocaleString("en")} sweeps and ${Math.round(picturesPerSecond)} pictures a second`
    : "paused";
  return (
    <div className={styles.run}>
      <div className={styles.buttons}>
        <Button
          size="xs"
          h={32}
          leftSection={<Icon name={run.isRunning ? "pause" : "play"} size={16} />}
          onClick={() => lattice.setRunning(!run.isRunning)}
        >
          {run.isRunning ? "Pause" : "Run"}
        </Button>
        <IconButton label="One sweep" icon="step" disabled={run.isRunning} onClick={() => lattice.step(1)} />
        <NativeSelect
          className={styles.speed}
          size="xs"
          aria-label="Speed"
          value={String(run.sweepsPerPicture)}
          onChange={({ currentTarget }) => lattice.setSpeed(Number(currentTarget.value))}
          data={options.map((speed) => ({ value: String(speed), label: speedLabel(speed) }))}
        />
      </div>
      <p className={styles.rate}>
        Sweep {sweeps.toLocaleString("en")}, {rate}.
      </p>
    </div>
  );
}
