import type { MouseEvent } from "react";
import type { ViewDirection } from "../../engine/api.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./Toolbar.module.css";

const axes = ["x", "y", "z"] as const;

interface Props {
  readonly isFullscreen: boolean;
  readonly onFullscreen: () => void;
}

export function Toolbar({ isFullscreen, onFullscreen }: Props) {
  const { view, exports, probe } = useSession();
  const isProbing = useApp(({ probe }) => probe.cursor !== undefined);
  const hasPast = useApp(({ cameras }) => cameras.past.length > 0);
  const hasFuture = useApp(({ cameras }) => cameras.future.length > 0);
  const draws = useApp(({ device }) => device.summary?.kind === "gpu");
  if (!draws) return null;
  const look = (axis: (typeof axes)[number], { shiftKey }: MouseEvent): void => {
    const direction: ViewDirection = shiftKey ? `-${axis}` : `+${axis}`;
    view.resetView(direction);
  };
  const toggleProbe = (): void => {
    const canvas = document.querySelector("canvas");
    if (isProbing || !canvas) {
      probe.hideCursor();
      return;
    }
    canvas.focus();
    probe.moveCursor({ x: Math.round(canvas.clientWidth / 2), y: Math.round(canvas.clientHeight / 2) });
  };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="View">
      <IconButton label="Reset view (R)" icon="home" side="left" onClick={() => view.resetView()} />
      {axes.map((axis) => (
        <IconButton
          key={axis}
          label={`View from +${axis} (${axis.toUpperCase()}); with Shift, from −${axis}`}
          text={axis}
          side="left"
          onClick={(event) => look(axis, event)}
        />
      ))}
      <hr className={styles.rule} />
      <IconButton
        label="Back to the previous view (B)"
        icon="back"
        side="left"
        disabled={!hasPast}
        onClick={() => void view.back()}
      />
      <IconButton
        label="Forward to the next view (F)"
        icon="forward"
        side="left"
        disabled={!hasFuture}
        onClick={() => void view.forward()}
      />
      <hr className={styles.rule} />
      <IconButton
        label={isProbing ? "End probing (P)" : "Probe by keyboard (P); click the picture to pick"}
        icon="probe"
        side="left"
        aria-pressed={isProbing}
        onClick={toggleProbe}
      />
      <IconButton
        label="Snapshot of the view"
        icon="camera"
        side="left"
        onClick={() => void exports.savePicture(1)}
      />
      {document.fullscreenEnabled && (
        <IconButton
          label={isFullscreen ? "Leave full-screen view" : "Full-screen view"}
          icon="expand"
          side="left"
          onClick={onFullscreen}
        />
      )}
    </div>
  );
}
