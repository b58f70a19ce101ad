import { Button } from "@mantine/core";
import type { RankRequest } from "../../engine/cluster/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./Requests.module.css";

/** Join requests, for the host to decide. */
export function Requests() {
  const requests = useApp(({ cluster }) => cluster.rank?.requests ?? none);
  if (requests.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Join requests">
      {requests.map((request) => (
        <li key={request.id} className={styles.request}>
          <Request request={request} />
        </li>
      ))}
    </ul>
  );
}

/**
 * The same over the picture while the panel is closed. The region stays mounted, so that screen readers
 * announce new content.
 */
export function RequestAlert() {
  return (
    <div role="alert" className={styles.alert}>
      <Requests />
    </div>
  );
}

const none: readonly RankRequest[] = [];

function Request({ request: { id, about } }: { request: RankRequest }) {
  const { cluster } = useSession();
  return (
    <>
      <p className={styles.text}>
        <strong>{about.name}</strong> asks to join
        <span className={styles.about}>
          {about.device === about.name ? about.gpu : `${about.device} · ${about.gpu}`}
        </span>
      </p>
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Refuse ${about.name}`}
          onClick={() => cluster.decide(id, false)}
        >
          Refuse
        </Button>
        <Button size="xs" aria-label={`Admit ${about.name}`} onClick={() => cluster.decide(id, true)}>
          Admit
        </Button>
      </div>
    </>
  );
}
