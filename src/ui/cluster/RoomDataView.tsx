import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import styles from "./RoomDataView.module.css";

/** Opens a file that the ranks of the room read, each its part: the way to data that this page cannot hold. */
export function RoomDataView() {
  const session = useSession();
  const rank = useApp(({ cluster }) => cluster.rank);
  const source = useApp(({ data }) => data.source);
  const [name, setName] = useState(source?.kind === "room" ? source.name : "");
  const ranks = rank?.members.filter(({ rank }) => rank !== undefined).length ?? 0;
  if (!rank?.isHost || ranks < 2) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const open = session.data.openOnRanks({ kind: "room", name: name.trim() });
    // Its layout is asked for in a dialog of its own.
    void open.then(() => session.store.getState().raw && session.cluster.close());
  };
  return (
    <section className={styles.data} aria-labelledby="cluster-data">
      <h3 id="cluster-data" className={styles.heading}>
        Data
      </h3>
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          className={styles.name}
          aria-label="Address or path of a file for the ranks"
          placeholder="https://… or /data/flow.vti"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={name.trim() === ""}>
          Open on {counted(ranks, "rank")}
        </Button>
      </form>
      <p className={styles.note}>
        For data that this page cannot hold. Each rank reads its part, where it can; a rank that can reads for
        the others. Pages read addresses, Node ranks read what their <code>--data</code> allows.
      </p>
    </section>
  );
}
