import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import styles from "./ShareButton.module.css";

const Cluster = lazy(() => import("./Cluster.tsx"));

/** Opens the cluster's panel, and tells how many ranks there are. The panel's code comes when it is first needed. */
export function ShareButton() {
  const { cluster } = useSession();
  const isNeeded = useApp(
    ({ cluster }) => cluster.isOpen || cluster.phase !== "none" || cluster.invitation !== undefined,
  );
  const size = useApp(({ cluster }) =>
    cluster.phase === "member"
      ? cluster.rank?.members.filter(({ rank }) => rank !== undefined).length
      : undefined,
  );
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        h={32}
        px={10}
        flex="none"
        onClick={cluster.share}
        aria-label={size ? `Share: ${counted(size, "rank")}` : "Share"}
      >
        <Icon name="share" />
        <span className={styles.word}>Share</span>{" "}
        {size !== undefined && <span className={styles.size}>{size}</span>}
      </Button>
      {wasNeeded && (
        <Suspense>
          <Cluster />
        </Suspense>
      )}
    </>
  );
}
