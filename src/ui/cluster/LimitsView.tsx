import { NativeSelect } from "@mantine/core";
import { formatBytes } from "../../core/format.ts";
import type { RoomLimits } from "../../engine/cluster/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import { limitChoices } from "../store/cluster-state.ts";
import styles from "./LimitsView.module.css";

/** The room's limits: on joining, where this page is host, and on the length of messages to this page. */
export function LimitsView() {
  const isHost = useApp(({ cluster }) => cluster.rank?.isHost ?? false);
  return (
    <fieldset className={styles.limits} aria-describedby="cluster-limits">
      <legend className={styles.legend}>Limits</legend>
      <div className={styles.choices}>
        {isHost && <Choice name="ranks" label="Ranks" />}
        {isHost && <Choice name="joinsPerMinute" label="Joins per minute" />}
        <Choice name="messageBytes" label="Longest message" format={wholeBytes} />
      </div>
      <p id="cluster-limits" className={styles.note}>
        {isHost && "Requests beyond these limits are refused; present ranks stay. "}A rank that sends this
        page a longer message is disconnected.
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
