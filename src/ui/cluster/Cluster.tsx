import { useApp } from "../session-context.tsx";
import { ClusterPanel } from "./ClusterPanel.tsx";
import { JoinDialog } from "./JoinDialog.tsx";
import { RequestAlert } from "./Requests.tsx";

/** What there is to see of a room: the question whether to join, the panel, and who asks while the panel is closed. */
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
