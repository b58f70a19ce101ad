import { NativeSelect } from "@mantine/core";
import { formatBytes } from "../../core/format.ts";
import type { RoomLimits } from "../../engine/cluster/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import { limitChoices } from "../store/cluster-state.ts";
import styles from "./LimitsView.module.css";

/** What the room takes: of those who want to join, where this page is host, and of the longest message to this page. */
export function LimitsView() {
  const isHost = useApp(({ cluster }) => cluster.rank?.isHost ?? false);
  return (
    <fieldset className={styles.limits} aria-describedby="cluster-limits">
      <legend className={styles.legend}>Limits</legend>
      <div className={styles.choices}>
        {isHost && <Choice name="ranks" label="Ranks" />}
        {isHost && <Choice name="joinsPerMinute" label="Joins a minute" />}
        <Choice name="messageBytes" label="Longest message" format={wholeBytes} />
      </div>
      <p id="cluster-limits" className={styles.note}>
        {isHost && "Who asks above them is refused; those who are here stay. "}A rank that sends this page a
        longer message is put out.
      </p>
    </fieldset>
  );
}

const wholeBytes = (bytes: number) => formatBytes(bytes).replace(".0 ", " ");

interface ChoiceProps {
  readonly name: keyof RoomLimits;
  readonly label: string;
  readonly format?: (value: number) => string;
}

function Choice({ name, label, format = String }: ChoiceProps) {
  const { cluster } = useSession();
  const value = useApp(({ cluster }) => cluster.limits[name]);
  return (
    <NativeSelect
      label={label}
      size="xs"
      className={styles.choice}
      value={value}
      data={limitChoices[name].map((choice) => ({ value: String(choice), label: format(choice) }))}
      onChange={({ currentTarget }) => cluster.setLimits({ [name]: Number(currentTarget.value) })}
    />
  );
}
