import { formatCount, formatMilliseconds } from "../../core/format.ts";
import type { LayerRanks, RankDrawing } from "../../engine/api.ts";
import { titleOf } from "../../engine/layers/titles.ts";
import { Segments } from "../controls/Segments.tsx";
import { Toggle } from "../controls/Toggle.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import { isOnRanks } from "../store/view-source.ts";
import { BlocksField } from "./BlocksField.tsx";
import { totalSentence } from "./cost-words.ts";
import styles from "./DrawingView.module.css";
import { drawingSentence } from "./drawing-sentence.ts";
import { useRankCount } from "./use-rank-count.ts";

const methods: readonly { readonly value: RankDrawing["method"]; readonly label: string }[] = [
  { value: "automatic", label: "Automatic" },
  { value: "ranks", label: "Draw on ranks" },
  { value: "host", label: "Gather" },
];

/** What the ranks compute, which surfaces they make, who draws these, and what each rank did for them. */
export function DrawingView() {
  const { cluster } = useSession();
  const { rank, drawing } = useApp(({ cluster }) => cluster);
  const { list, facts } = useApp(({ layers }) => layers);
  const computed = useApp(({ data }) => data.derived).filter(({ ranks }) => ranks !== undefined);
  const isTheirs = useApp(({ data }) => isOnRanks(data.source));
  const ranks = useRankCount();
  const others = rank?.members.filter(({ rank }) => rank !== undefined).length ?? 0;
  if (!rank?.isHost || others < 2) return null;
  const shown = list.flatMap((layer) => {
    const made = facts[layer.id]?.made;
    return made ? [{ id: layer.id, title: titleOf(layer), made }] : [];
  });
  const areUsed = drawing.isUsed || isTheirs;
  return (
    <section className={styles.drawing} aria-labelledby="cluster-draw">
      <h3 id="cluster-draw" className={styles.heading}>
        What the ranks do
      </h3>
      <div className={styles.switches}>
        {!isTheirs && (
          <Toggle
            label="The ranks compute and draw"
            title="Each rank computes expressions and makes surfaces in its block of the grid, and this page draws them together."
            checked={drawing.isUsed}
            onChange={(isUsed) => cluster.draw({ isUsed })}
          />
        )}
        {areUsed && (
          <>
            <Toggle
              label="Colour by rank"
              checked={drawing.tints}
              onChange={(tints) => cluster.draw({ tints })}
            />
            <Segments
              label="Who draws the surfaces"
              value={drawing.method}
              options={methods}
              onChange={(method) => cluster.draw({ method })}
            />
            <BlocksField ranks={ranks} />
          </>
        )}
      </div>
      {shown.map(({ id, title, made }) => (
        <Made key={id} title={title} made={made} />
      ))}
      {computed.length > 0 && (
        <ul className={styles.computed} aria-label="Fields computed by the ranks">
          {computed.map(({ name, ranks = 0, ms }) => (
            <li key={name}>
              <span className={styles.name}>{name}</span>: computed on {counted(ranks, "rank")} in{" "}
              {formatMilliseconds(ms)}
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && computed.length === 0 && (
        <p className={styles.note}>
          {areUsed
            ? "Surfaces, and expressions over large grids, are made by all ranks, each in its part of the grid."
            : "This page computes and draws alone."}
        </p>
      )}
    </section>
  );
}

function Made({ title, made }: { title: string; made: LayerRanks }) {
  const { ranks } = made;
  const most = Math.max(1, ...ranks.map(({ triangles }) => triangles));
  return (
    <figure className={styles.made}>
      <figcaption>{title}</figcaption>
      <p className={styles.note}>{drawingSentence(made)}</p>
      <ul aria-label={`Triangles of ${title} by rank`}>
        {ranks.map(({ rank, triangles, ms }) => (
          <li key={rank}>
            <span className={styles.rank}>{rank}</span>
            <span className={styles.bar}>
              <span style={{ width: `${(100 * triangles) / most}%` }} />
            </span>
            <span className={styles.words}>
              {formatCount(triangles)} triangles, computed in {formatMilliseconds(ms.compute)}
            </span>
          </li>
        ))}
      </ul>
      {totalSentence(ranks).map((sentence) => (
        <p key={sentence} className={styles.note}>
          {sentence}
        </p>
      ))}
    </figure>
  );
}
