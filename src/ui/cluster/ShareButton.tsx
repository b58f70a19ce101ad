import { Button } from "@mantine/core";
import { Icon } from "../controls/icons.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import styles from "./ShareButton.module.css";

const panel = lazyPart("The cluster's panel", () => import("./Cluster.tsx"));

/** Opens the cluster panel and shows the number of ranks. The panel's code is loaded on first use. */
export function ShareButton() {
  const { cluster } = useSession();
  const need = useApp(({ cluster: { isOpen, phase, invitation } }) =>
    isOpen || phase !== "none" || invitation !== undefined ? `${phase} ${isOpen}` : undefined,
  );
  const size = useApp(({ cluster }) =>
    cluster.phase === "member"
      ? cluster.rank?.members.filter(({ rank }) => rank !== undefined).length
      : undefined,
  );
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
      <LazyBoundary part={panel} wish={need} onGiveUp={cluster.close}>
        {({ default: Cluster }) => <Cluster />}
      </LazyBoundary>
    </>
  );
}
