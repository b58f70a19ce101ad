import { Alert, Button, Loader, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lostBetweenJobs } from "../../core/lost-sentence.ts";
import { Notes } from "../controls/Notes.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted, serverLost } from "../store/cluster-sentences.ts";
import type { ClusterState } from "../store/cluster-state.ts";
import styles from "./ClusterPanel.module.css";
import { ComputeView } from "./ComputeView.tsx";
import { DrawingView } from "./DrawingView.tsx";
import { GroupsView } from "./GroupsView.tsx";
import { InvitationView } from "./InvitationView.tsx";
import { LinksView } from "./LinksView.tsx";
import { RanksView } from "./RanksView.tsx";
import { Requests } from "./Requests.tsx";
import { RoomDataView } from "./RoomDataView.tsx";

/** The room that this page is in: how others join, who is there, and the links between them. */
export function ClusterPanel({ opened }: { opened: boolean }) {
  const { cluster } = useSession();
  const state = useApp(({ cluster }) => cluster);
  const isNarrow = useMediaQuery("(max-width: 800px)", undefined, { getInitialValueInEffect: false });
  const { phase, rank, error, announcement } = state;
  const { notes = [], isReachable = true } = rank ?? {};
  return (
    <Modal
      opened={opened}
      onClose={cluster.close}
      title="Cluster"
      size={880}
      fullScreen={isNarrow}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: styles.title, body: styles.body, content: styles.content, header: styles.header }}
    >
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {error && (
        <Alert color="red" title={error.problem}>
          {error.remedy}
        </Alert>
      )}
      {phase === "none" && (
        <div className={styles.none}>
          <p className={styles.sentence}>
            This page is not in a room. The ranks of a room compute together: tabs, other machines and Node
            processes join it by a link.
          </p>
          <Button size="xs" onClick={cluster.share}>
            Open a room
          </Button>
        </div>
      )}
      {phase === "opening" && (
        <p className={styles.opening}>
          <Loader size="xs" /> Opening a room…
        </p>
      )}
      {phase === "member" && rank && (
        <>
          <p className={styles.sentence}>{summary(state)}</p>
          <Requests />
          <Notes notes={[...losses(state), ...(isReachable ? notes : [...notes, serverLost])]} />
          <InvitationView />
          <RanksView />
          <GroupsView />
          <RoomDataView />
          <DrawingView />
          <ComputeView />
          <LinksView />
        </>
      )}
    </Modal>
  );
}

/** While the ranks compute, what they lose is told with the result. */
function losses({ lost, rank, isComputing }: ClusterState): readonly string[] {
  const left = rank?.members.filter(({ rank }) => rank !== undefined).length ?? 0;
  return lost.length > 0 && !isComputing ? [lostBetweenJobs(lost, left)] : [];
}

function summary({ rank }: ClusterState): string {
  const { members = [], isHost = false, epoch = 0 } = rank ?? {};
  const ranked = members.filter(({ rank }) => rank !== undefined);
  const own = ranked.find(({ isSelf }) => isSelf);
  const host = ranked.find(({ isHost }) => isHost);
  const size = `${counted(ranked.length, "rank")}, epoch ${epoch}`;
  return isHost
    ? `This page hosts the room: ${size}.`
    : `This page is rank ${own?.rank} in the room of ${host?.about.name}: ${size}.`;
}
