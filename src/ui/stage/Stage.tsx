import { useElementSize, useFullscreenElement, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp } from "../session-context.tsx";
import { selectedLayer } from "../store/layers/state.ts";
import { ErrorBanner } from "./ErrorBanner.tsx";
import { ProgressCard } from "./ProgressCard.tsx";
import { ScalarBarOverlay } from "./ScalarBarOverlay.tsx";
import styles from "./Stage.module.css";
import { StageMessage } from "./StageMessage.tsx";
import { Toolbar } from "./Toolbar.tsx";

/** Loaded when there is first something to drag, something picked, and something pointed at. */
const handles = lazyPart("The handles in the view", () => import("./ShapeHandles.tsx"));
const pickedCard = lazyPart("The card of the picked point", () => import("./PickedCard.tsx"));
const probeOverlay = lazyPart("The readout of values in the view", () => import("./ProbeOverlay.tsx"));

/** The picture with its overlays. */
export function Stage({ canvas }: { canvas: HTMLCanvasElement }) {
  const { ref: screen, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(screen, measured);
  const picked = useApp(({ probe }) => probe.picked);
  const hasProbe = useApp(({ probe }) => probe.cursor !== undefined || probe.hover !== undefined);
  const hasHandles = useApp(({ layers }) => {
    const layer = selectedLayer(layers);
    return layer?.clip !== undefined || layer?.shape.kind === "cut";
  });
  return (
    <div className={styles.stage} ref={ref}>
      <Picture canvas={canvas} />
      <p id="view-keys" className="visually-hidden">
        Arrow keys orbit, with Shift they pan; plus and minus zoom; R resets; X, Y and Z look along an axis; B
        goes back to the previous view and F forward. P shows a crosshair, which the arrow keys move; Enter
        picks.
      </p>
      <Toolbar isFullscreen={fullscreen} onFullscreen={() => void toggle()} />
      {hasHandles && (
        <LazyBoundary part={handles} wish="shown">
          {({ default: ShapeHandles }) => <ShapeHandles size={{ width, height }} />}
        </LazyBoundary>
      )}
      <ScalarBarOverlay size={{ width, height }} />
      {picked && (
        <LazyBoundary part={pickedCard} wish={picked}>
          {({ default: PickedCard }) => <PickedCard />}
        </LazyBoundary>
      )}
      {hasProbe && (
        <LazyBoundary part={probeOverlay} wish="shown">
          {({ default: ProbeOverlay }) => <ProbeOverlay width={width} height={height} />}
        </LazyBoundary>
      )}
      <StageMessage />
      <ErrorBanner />
      <ProgressCard />
    </div>
  );
}

/** The element that holds the page's only canvas. */
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
