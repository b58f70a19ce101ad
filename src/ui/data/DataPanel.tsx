import { Button } from "@mantine/core";
import { clickOpenButton } from "../app/OpenButton.tsx";
import { Notes } from "../controls/Notes.tsx";
import { useApp } from "../session-context.tsx";
import styles from "./DataPanel.module.css";
import { Details } from "./Details.tsx";
import { FieldTable } from "./FieldTable.tsx";
import { gridFacts, pointFacts } from "./grid-facts.ts";
import { precisionNotes } from "./precision-notes.ts";

export function DataPanel() {
  const dataSet = useApp(({ data }) => data.dataSet);
  if (!dataSet) {
    return (
      <div className={styles.empty}>
        <p>No data set is open.</p>
        <Button size="xs" variant="default" onClick={clickOpenButton}>
          Choose a file
        </Button>
      </div>
    );
  }
  const notes = [...dataSet.notes, ...precisionNotes(dataSet.fields)];
  return (
    <>
      <h3 className={styles.name}>{dataSet.name}</h3>
      {dataSet.grid && <Details facts={gridFacts(dataSet.grid)} />}
      {dataSet.points && <Details facts={pointFacts(dataSet.points)} />}
      {dataSet.fields.length > 0 ? (
        <FieldTable />
      ) : (
        <p>{dataSet.grid ? "The file has a grid but no fields." : "The points have no columns."}</p>
      )}
      <Notes notes={notes} />
    </>
  );
}
