import { NativeSelect } from "@mantine/core";
import { useApp, useSession } from "../session-context.tsx";
import { blockChoices, textOf, whyChosen } from "./block-words.ts";
import styles from "./DrawingView.module.css";

/** Into how many blocks along x, y and z so many ranks divide the grid. */
export function BlocksField({ ranks }: { ranks: number }) {
  const { cluster } = useSession();
  const blocks = useApp(({ cluster }) => cluster.drawing.blocks);
  const choices = blockChoices(ranks, blocks);
  const why = whyChosen(blocks, ranks);
  return (
    <div className={styles.division}>
      <NativeSelect
        className={styles.blocks}
        size="xs"
        label="Blocks"
        title="Into how many blocks along x, y and z the grid is divided: one for each rank."
        error={why !== undefined}
        withErrorStyles={false}
        value={textOf(blocks)}
        data={choices.map(({ value, label }) => ({ value, label }))}
        onChange={({ currentTarget }) => {
          const chosen = choices.find(({ value }) => value === currentTarget.value);
          if (chosen) cluster.draw({ blocks: chosen.blocks });
        }}
      />
      {why !== undefined && <p className={styles.words}>{why}</p>}
    </div>
  );
}
