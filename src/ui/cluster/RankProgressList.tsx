import { Progress } from "@mantine/core";
import { useApp } from "../session-context.tsx";
import styles from "./RankProgressList.module.css";

/** How far each of so many ranks is with what all of them compute. */
export function RankProgressList({ count }: { count: number }) {
  const computing = useApp(({ cluster }) => cluster.computing);
  const ranks = Array.from({ length: count }, (_, rank) => rank);
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
