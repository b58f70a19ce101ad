import { Progress } from "@mantine/core";
import { useApp } from "../session-context.tsx";
import styles from "./RankProgressList.module.css";

/** How far each rank is with what all of them compute. */
export function RankProgressList() {
  const { rank: own, computing } = useApp(({ cluster }) => cluster);
  const ranks = (own?.members ?? []).flatMap(({ rank }) => (rank === undefined ? [] : [rank]));
  ranks.sort((a, b) => a - b);
  return (
    <ul className={styles.list} aria-label="Progress of the ranks">
      {ranks.map((rank) => {
        const { fraction = 0, step = "Waiting" } = computing[rank] ?? {};
        return (
          <li key={rank}>
            <span className={styles.rank}>{rank}</span>
            <Progress size="sm" color="var(--accent)" value={100 * fraction} aria-label={`Rank ${rank}`} />
            <span className={styles.step}>{step}</span>
          </li>
        );
      })}
    </ul>
  );
}
