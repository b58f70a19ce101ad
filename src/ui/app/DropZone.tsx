import { useEffect, useState } from "react";
import { useSession } from "../session-context.tsx";
import styles from "./DropZone.module.css";

/** Accepts files dropped anywhere on the page, and says so while they hover over it. */
export function DropZone() {
  const { data } = useSession();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth++;
      setOver(true);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      void data.openFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const end = new AbortController();
    const { signal } = end;
    window.addEventListener("dragenter", enter, { signal });
    window.addEventListener("dragover", over, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => end.abort();
  }, [data]);
  return isOver ? (
    <div className={styles.overlay} aria-hidden="true">
      <p className={styles.sentence}>
        <strong>Drop to open</strong>
        VTK, NRRD, MetaImage, NIfTI, NumPy, TIFF, PNG, JPEG, raw volumes, points as CSV or PLY, saved views;
        headers together with their data
      </p>
    </div>
  ) : null;
}
