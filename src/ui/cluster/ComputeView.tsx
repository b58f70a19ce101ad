import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { lostSentence } from "../../core/lost-sentence.ts";
import { Notes } from "../controls/Notes.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import type { ComputedOnRanks } from "../store/cluster-state.ts";
import styles from "./ComputeView.module.css";
import { LanesView } from "./LanesView.tsx";
import { RankProgressList } from "./RankProgressList.tsx";
import { ResultsView } from "./ResultsView.tsx";
import { useRankCount } from "./use-rank-count.ts";

/** An expression over the open data whose statistics all ranks compute, each on its block of the grid. */
export function ComputeView() {
  const session = useSession();
  const { rank, isComputing, computed } = useApp(({ cluster }) => cluster);
  const written = useApp(({ expressions }) => expressions.text);
  const [text, setText] = useState(written);
  const ranks = useRankCount();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    session.cluster.compute(text);
  };
  if (!rank?.isHost) {
    return (
      <section className={styles.compute} aria-labelledby="cluster-compute">
        <Heading />
        <p className={styles.note}>
          The host starts what the ranks compute. This page takes part with its device, between what it
          computes for you.
        </p>
      </section>
    );
  }
  return (
    <section className={styles.compute} aria-labelledby="cluster-compute">
      <Heading />
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          className={styles.text}
          classNames={{ input: styles.code }}
          aria-label="Expression for the ranks"
          placeholder="q_criterion(velocity)"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {isComputing ? (
          <Button size="xs" variant="default" onClick={session.cancel}>
            Cancel
          </Button>
        ) : (
          <Button size="xs" type="submit" disabled={text.trim() === ""}>
            Compute on {counted(ranks, "rank")}
          </Button>
        )}
      </form>
      <Notes notes={rank.warning === undefined ? [] : [rank.warning]} />
      {isComputing && <RankProgressList count={ranks} />}
      {computed ? (
        <Result computed={computed} />
      ) : (
        <p className={styles.note}>
          Each rank computes its part of the grid on its own device; a few numbers travel. Where a rank is
          lost, the others take its part.
        </p>
      )}
    </section>
  );
}

const Heading = () => (
  <h3 id="cluster-compute" className={styles.heading}>
    Compute
  </h3>
);

function Result({ computed: { result, lost } }: { computed: ComputedOnRanks }) {
  const { ranks, trace, origin, notes } = result;
  return (
    <>
      <ResultsView results={result.results} />
      <Notes notes={lost.length > 0 ? [lostSentence(lost), ...notes] : notes} />
      <LanesView ranks={ranks} trace={trace} />
      <p className={styles.note}>
        {origin === "read by each rank"
          ? "Each rank has read or made the data itself."
          : "A rank that has the data has sent each of the others its part."}
      </p>
    </>
  );
}
