import { Button } from "@mantine/core";
import { formatBytes, formatMilliseconds } from "../../core/format.ts";
import type { ClusterMember } from "../../engine/cluster/api.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { pathLabels } from "./path-labels.ts";
import styles from "./RanksView.module.css";

/** The ranks of the room, with the link from this page's rank to each. */
export function RanksView() {
  const { cluster } = useSession();
  const { rank, isAdding } = useApp(({ cluster }) => cluster);
  const { members = [], isHost = false } = rank ?? {};
  return (
    <section className={styles.ranks} aria-labelledby="cluster-ranks">
      <div className={styles.head}>
        <h3 id="cluster-ranks" className={styles.heading}>
          Ranks
        </h3>
        <Button
          size="xs"
          variant="default"
          loading={isAdding}
          leftSection={<Icon name="plus" size={14} />}
          onClick={cluster.addRank}
        >
          Add a rank here
        </Button>
        <Button size="xs" variant="default" onClick={cluster.leave}>
          Leave
        </Button>
      </div>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">Ranks of the room</caption>
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col">Name</th>
              <th scope="col" className={styles.wide}>
                GPU
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className={styles.wide}>
                  {column}
                </th>
              ))}
              <th scope="col" className={styles.wide}>
                State
              </th>
              {isHost && (
                <td>
                  <span className="visually-hidden">Remove</span>
                </td>
              )}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <Row key={member.id} member={member} canRemove={isHost} />
            ))}
          </tbody>
        </table>
      </div>
      {members.length === 1 && (
        <p className={styles.note}>
          Nobody else is here yet. Send the link, or add another rank: a worker of this page.
        </p>
      )}
    </section>
  );
}

function Row({ member, canRemove }: { member: ClusterMember; canRemove: boolean }) {
  const { cluster } = useSession();
  const rate = useApp(({ cluster }) => cluster.rates[member.id]);
  const isAdded = useApp(({ cluster }) => cluster.added.includes(member.id));
  const { id, rank, about, isSelf, isHost, isJoining } = member;
  const link = linkWords(member, rate);
  return (
    <tr>
      <td className={styles.number}>{rank ?? "–"}</td>
      <th scope="row">
        {about.name}
        {isSelf && <span className={styles.chip}>this page</span>}
        {isHost && <span className={styles.chip}>host</span>}
        {(isAdded || about.device !== about.name) && (
          <span className={styles.about}>{isAdded ? "A worker of this page" : about.device}</span>
        )}
        <span className={styles.narrow}>
          {[about.gpu, ...(isSelf ? [] : link), ...(isJoining ? ["joining"] : [])].join(" · ")}
        </span>
      </th>
      <td className={styles.wide}>{about.gpu}</td>
      {link.map((words, column) => (
        <td key={columns[column]} className={styles.wide}>
          {words}
        </td>
      ))}
      <td className={styles.wide}>{isJoining ? "joining" : "member"}</td>
      {canRemove && (
        <td className={styles.deed}>
          {!isSelf && (
            <IconButton
              label={`Remove ${about.name}`}
              icon="trash"
              size={28}
              side="left"
              onClick={() => cluster.remove(id)}
            />
          )}
        </td>
      )}
    </tr>
  );
}

const columns = ["Path", "Round trip", "Traffic"];

/** The cells of the link's columns: dashes if there is no link or nothing is known yet. */
function linkWords(
  { isSelf, path, roundTripMs }: ClusterMember,
  rate: number | undefined,
): readonly string[] {
  if (isSelf) return columns.map(() => "–");
  return [
    pathLabels(path),
    roundTripMs === undefined ? "–" : formatMilliseconds(roundTripMs),
    rate === undefined ? "–" : `${formatBytes(rate)}/s`,
  ];
}
