import { type ChangeEvent, useId } from "react";
import { Icon } from "../controls/icons.tsx";
import { useSession } from "../session-context.tsx";
import { acceptedFiles } from "../store/files.ts";
import styles from "./OpenButton.module.css";

/** A file input that looks like a button. Its id lets other buttons be its label. */
export function OpenButton() {
  const { data } = useSession();
  const id = useId();
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(currentTarget.files ?? [])];
    // The same file may be chosen again.
    currentTarget.value = "";
    if (files.length > 0) void data.openFiles(files);
  };
  return (
    <span className={styles.button}>
      <label htmlFor={id} className={styles.face}>
        <Icon name="open" />
        <span className={styles.word}>Open data set</span>
      </label>
      <input
        id={id}
        type="file"
        multiple
        accept={acceptedFiles}
        aria-label="Open data set"
        className={styles.input}
        data-open-data-set
        onChange={choose}
      />
    </span>
  );
}

/** Opens the file dialog as a click on the header's button does. */
export function clickOpenButton(): void {
  document.querySelector<HTMLInputElement>("[data-open-data-set]")?.click();
}
