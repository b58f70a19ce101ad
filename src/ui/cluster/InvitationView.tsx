import { Switch, TextInput } from "@mantine/core";
import { CopyButton } from "../controls/CopyButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./InvitationView.module.css";
import { LimitsView } from "./LimitsView.tsx";
import { QrCode } from "./QrCode.tsx";

/** The link by which others join, for people, cameras and clipboards, and the room's limits. */
export function InvitationView() {
  const { cluster } = useSession();
  const { link = "", rank, approvesAll } = useApp(({ cluster }) => cluster);
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(link);
  return (
    <section className={styles.invitation} aria-label="Invitation">
      <div className={styles.words}>
        <div className={styles.link}>
          <TextInput
            label="Invitation link"
            size="xs"
            readOnly
            value={link}
            className={styles.field}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton label="Copy link" text={link} />
        </div>
        <p className={styles.note}>
          Anyone with this link can ask to join. Ranks see each other’s name, browser and GPU and, over
          WebRTC, their network address. To join from Node, run <code>npx crinkle rank 'LINK'</code>.
        </p>
        {isLocal && (
          <p className={styles.note}>
            The link says localhost, so it only works on this machine. For other devices, start Crinkle with{" "}
            <code>npm start -- --lan</code>.
          </p>
        )}
        {rank?.isHost && (
          <Switch
            label="Approve all with this link"
            size="xs"
            checked={approvesAll}
            onChange={({ currentTarget }) => cluster.setApprovesAll(currentTarget.checked)}
          />
        )}
        <LimitsView />
      </div>
      <QrCode text={link} label="QR code of the invitation link" />
    </section>
  );
}
