import { Modal, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Segments } from "../controls/Segments.tsx";
import { useSession } from "../session-context.tsx";
import { paletteEntries } from "./entries.ts";
import styles from "./Palette.module.css";
import { findEntries, type PaletteEntry, type PaletteGroup, paletteGroups } from "./search.ts";

type Choice = "All" | PaletteGroup;

/** So many are listed; what is further down is found by another word. */
const maxListed = 200;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Finds commands, settings, new layers, fields and functions by their names, or by other programs' words for them. */
export default function Palette({ opened, onClose }: Props) {
  // What runs puts the focus where it belongs.
  const [hasRun, setRun] = useState(false);
  const run = (entry: PaletteEntry): void => {
    setRun(true);
    onClose();
    setTimeout(() => entry.run(), 0);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={720}
      padding={0}
      withCloseButton={false}
      aria-label="Find"
      returnFocus={!hasRun}
      onEnterTransitionEnd={() => setRun(false)}
    >
      {opened && <Finder onRun={run} />}
    </Modal>
  );
}

function Finder({ onRun }: { readonly onRun: (entry: PaletteEntry) => void }) {
  const session = useSession();
  const entries = useMemo(() => paletteEntries(session), [session]);
  const [query, setQuery] = useState("");
  const [choice, setChoice] = useState<Choice>("All");
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(
    () =>
      findEntries(
        entries.filter(({ group }) => choice === "All" || group === choice),
        query,
      ).slice(0, maxListed),
    [entries, choice, query],
  );
  const chosen = Math.min(at, found.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });
  const press = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(found.length - 1, chosen + step)));
    else if (event.key === "Enter" && found[chosen]) onRun(found[chosen]);
    else return;
    event.preventDefault();
  };
  const doc = found[chosen]?.doc;
  return (
    <div className={styles.palette}>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={styles.query}
        placeholder="Find a command, field or function"
        aria-label="Find a command, field or function"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div className={styles.choice}>
        <Segments<Choice>
          label="What to find"
          value={choice}
          options={(["All", ...paletteGroups] as const).map((value) => ({ value, label: value }))}
          onChange={(value) => {
            setChoice(value);
            setAt(0);
          }}
        />
      </div>
      <div className={styles.found} data-has-doc={doc !== undefined || undefined}>
        <div ref={list} id={listId} role="listbox" aria-label="Found" tabIndex={-1} className={styles.list}>
          {found.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text box above has the keys of all options
            <div
              key={`${entry.group} ${entry.title} ${entry.hint ?? ""}`}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={styles.option}
              onPointerMove={() => setAt(index)}
              onClick={() => onRun(entry)}
            >
              <span className={styles.title} data-is-code={entry.doc !== undefined || undefined}>
                {entry.title}
              </span>
              {entry.hint && <span className={styles.hint}>{entry.hint}</span>}
            </div>
          ))}
          {found.length === 0 && (
            <p className={styles.nothing}>
              Nothing has that name. Try another program's word for it, such as “contour” or “calculator”.
            </p>
          )}
        </div>
        {doc && (
          <div className={styles.doc} aria-live="polite">
            <p className={styles.summary}>{doc.summary}</p>
            {doc.formula && <code className={styles.code}>{doc.formula}</code>}
            <p className={styles.label}>Example</p>
            <code className={styles.code}>{doc.example}</code>
            <p className={styles.label}>Enter puts the example into the editor.</p>
          </div>
        )}
      </div>
    </div>
  );
}
