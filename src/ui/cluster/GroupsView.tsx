import { Button } from "@mantine/core";
import type { ClusterMember } from "../../engine/cluster/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import styles from "./GroupsView.module.css";

type Group = NonNullable<ClusterMember["about"]["group"]>;

/** The data of jobs whose ranks are not in the room, each with the member that stands for them. */
export function GroupsView() {
  const rank = useApp(({ cluster }) => cluster.rank);
  const groups = (rank?.members ?? []).flatMap(({ about, rank }) =>
    about.group && rank !== undefined ? [about.group] : [],
  );
  if (groups.length === 0) return null;
  return (
    <section className={styles.groups} aria-labelledby="cluster-groups">
      <h3 id="cluster-groups" className={styles.heading}>
        Jobs
      </h3>
      <ul className={styles.list} aria-label="Data of jobs">
        {groups.map((group) => (
          <Item key={group.id} group={group} canOpen={rank?.isHost ?? false} />
        ))}
      </ul>
      <p className={styles.note}>
        {rank?.isHost
          ? "The values stay on the job’s ranks, which make the surfaces, statistics and histograms that this page shows."
          : "The host’s page can open them."}
      </p>
    </section>
  );
}

function Item({ group: { id, data, ranks }, canOpen }: { group: Group; canOpen: boolean }) {
  const session = useSession();
  const isOpen = useApp(({ data }) => data.source?.kind === "group" && data.source.id === id);
  const verb = isOpen ? "Reopen" : "Open";
  return (
    <li>
      <span>
        <strong>{data}</strong>, on {counted(ranks, "rank")}
      </span>
      {canOpen && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${verb} ${data}`}
          onClick={() => void session.data.openOnRanks({ kind: "group", id, name: data })}
        >
          {verb}
        </Button>
      )}
    </li>
  );
}
