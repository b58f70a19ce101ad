import { useApp } from "../session-context.tsx";
import { ClusterPanel } from "./ClusterPanel.tsx";
import { JoinDialog } from "./JoinDialog.tsx";
import { RequestAlert } from "./Requests.tsx";

/**
 * The user interface of rooms: the question whether to join, the panel, and join requests while the panel is
 * closed.
 */
export default function Cluster() {
  const { isOpen, phase, invitation } = useApp(({ cluster }) => cluster);
  const asks = invitation !== undefined || phase === "joining" || phase === "waiting";
  return (
    <>
      <JoinDialog opened={asks} />
      <ClusterPanel opened={isOpen && !asks} />
      {!isOpen && <RequestAlert />}
    </>
  );
}
