import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useApp, useSession } from "../session-context.tsx";
import { readBlocks, whyChosen } from "./block-words.ts";
import styles from "./DrawingView.module.css";

/** Into how many blocks along x, y and z so many ranks divide the grid: chosen where nothing is written. */
export function BlocksField({ ranks }: { ranks: number }) {
  const { cluster } = useSession();
  const blocks = useApp(({ cluster }) => cluster.drawing.blocks);
  const [draft, setDraft] = useState<string>();
  const written = blocks?.join(" × ") ?? "";
  const read = readBlocks(draft ?? written);
  const commit = () => {
    setDraft(undefined);
    if (read !== undefined && String(read) !== String(blocks)) cluster.draw({ blocks: read });
  };
  return (
    <div className={styles.division}>
      <TextInput
        className={styles.blocks}
        size="xs"
        label="Blocks"
        placeholder="automatic"
        title={`Along x, y and z, such as 1 × 1 × ${ranks}: one for each rank`}
        autoComplete="off"
        value={draft ?? written}
        error={read === undefined}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === "Enter") commit();
          else if (key === "Escape") setDraft(undefined);
        }}
      />
      <p className={styles.words}>{whyChosen(blocks, ranks)}</p>
    </div>
  );
}
