import { useElementSize, useFullscreenElement, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { ErrorBanner } from "./ErrorBanner.tsx";
import { PickedCard } from "./PickedCard.tsx";
import { ProbeOverlay } from "./ProbeOverlay.tsx";
import { ProgressCard } from "./ProgressCard.tsx";
import { ScalarBarOverlay } from "./ScalarBarOverlay.tsx";
import { ShapeHandles } from "./ShapeHandles.tsx";
import styles from "./Stage.module.css";
import { StageMessage } from "./StageMessage.tsx";
import { Toolbar } from "./Toolbar.tsx";

/** The picture with everything that lies over it. */
export function Stage({ canvas }: { canvas: HTMLCanvasElement }) {
  const { ref: screen, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(screen, measured);
  return (
    <div className={styles.stage} ref={ref}>
      <Picture canvas={canvas} />
      <p id="view-keys" className="visually-hidden">
        Arrow keys orbit, with Shift they pan; plus and minus zoom; R resets; X, Y and Z look along an axis. P
        brings a crosshair that arrow keys move and Enter picks with.
      </p>
      <Toolbar isFullscreen={fullscreen} onFullscreen={() => void toggle()} />
      <ShapeHandles size={{ width, height }} />
      <ScalarBarOverlay />
      <PickedCard />
      <ProbeOverlay width={width} height={height} />
      <StageMessage />
      <ErrorBanner />
      <ProgressCard />
    </div>
  );
}

/** Where the page's one canvas hangs. */
function Picture({ canvas }: { canvas: HTMLCanvasElement }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    canvas.className = styles.canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", "3-D view");
    canvas.setAttribute("aria-describedby", "view-keys");
    host.current?.append(canvas);
    return () => canvas.remove();
  }, [canvas]);
  return <div ref={host} className={styles.host} />;
}
