import { useElementSize, useFullscreenElement, useMergedRef } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useApp } from "../session-context.tsx";
import { selectedLayer } from "../store/layers/state.ts";
import { ErrorBanner } from "./ErrorBanner.tsx";
import { ProgressCard } from "./ProgressCard.tsx";
import { ScalarBarOverlay } from "./ScalarBarOverlay.tsx";
import styles from "./Stage.module.css";
import { StageMessage } from "./StageMessage.tsx";
import { Toolbar } from "./Toolbar.tsx";

/** These come when there is first something to drag, something picked, and something pointed at. */
const ShapeHandles = lazy(() => import("./ShapeHandles.tsx"));
const PickedCard = lazy(() => import("./PickedCard.tsx"));
const ProbeOverlay = lazy(() => import("./ProbeOverlay.tsx"));

/** The picture with everything that lies over it. */
export function Stage({ canvas }: { canvas: HTMLCanvasElement }) {
  const { ref: screen, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(screen, measured);
  const hasPick = useApp(({ probe }) => probe.picked !== undefined);
  const hasProbe = useApp(({ probe }) => probe.cursor !== undefined || probe.hover !== undefined);
  const hasHandles = useApp(({ layers }) => {
    const layer = selectedLayer(layers);
    return layer?.clip !== undefined || layer?.shape.kind === "cut";
  });
  return (
    <div className={styles.stage} ref={ref}>
      <Picture canvas={canvas} />
      <p id="view-keys" className="visually-hidden">
        Arrow keys orbit, with Shift they pan; plus and minus zoom; R resets; X, Y and Z look along an axis. P
        brings a crosshair that arrow keys move and Enter picks with.
      </p>
      <Toolbar isFullscreen={fullscreen} onFullscreen={() => void toggle()} />
      {hasHandles && (
        <Suspense>
          <ShapeHandles size={{ width, height }} />
        </Suspense>
      )}
      <ScalarBarOverlay />
      {hasPick && (
        <Suspense>
          <PickedCard />
        </Suspense>
      )}
      {hasProbe && (
        <Suspense>
          <ProbeOverlay width={width} height={height} />
        </Suspense>
      )}
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
