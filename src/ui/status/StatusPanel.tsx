import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import { FactList } from "../controls/FactList.tsx";
import { useApp } from "../session-context.tsx";
import { shownTriangles } from "../store/layers/state.ts";
import styles from "./StatusPanel.module.css";

export function StatusPanel() {
  const device = useApp(({ device }) => device);
  const { gpuBytes, gpuPeakBytes, lastJob, surfaceMs } = useApp(({ measurements }) => measurements);
  const triangles = useApp(({ layers }) => shownTriangles(layers));
  const { summary } = device;
  const hasGpu = summary?.kind === "gpu";
  return (
    <FactList
      facts={[
        [
          "GPU",
          <span key="gpu" className={styles.device}>
            {hasGpu ? summary.description : summary ? "none; computing on the CPU" : "…"}
            {summary?.isSoftware && <span className={styles.badge}>Software adapter</span>}
          </span>,
        ],
        ["Last job", lastJob ? `${lastJob.name}, ${formatMilliseconds(lastJob.ms)}` : "–"],
        ["Surface", surfaceMs === undefined ? "–" : `${formatMilliseconds(surfaceMs)} on the GPU`],
        ["Triangles", triangles === undefined ? "–" : formatCount(triangles)],
        [
          "GPU memory",
          hasGpu ? `${formatBytes(gpuBytes)} now, ${formatBytes(gpuPeakBytes)} at its peak` : "–",
        ],
      ]}
    />
  );
}
