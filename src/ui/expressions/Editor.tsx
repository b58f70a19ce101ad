import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useApp, useSession } from "../session-context.tsx";
import { loadCode } from "../store/load-code.ts";
import { knownNames } from "../store/select.ts";
import styles from "./Editor.module.css";
import type { ExpressionEditor } from "./editor/create-editor.ts";

const label = "Expression";

/**
 * The expression editor. It is loaded when the pointer or the focus first reaches it; until then a plain text area
 * stands in, whose text and caret it takes over.
 */
export function Editor() {
  const { store, expressions, announce } = useSession();
  const text = useApp(({ expressions }) => expressions.text);
  const error = useApp(({ expressions }) => expressions.error);
  const dataSet = useApp(({ data }) => data.dataSet);
  const derived = useApp(({ data }) => data.derived);
  const quantities = useApp(({ data }) => data.quantities);
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [editor, setEditor] = useState<ExpressionEditor>();

  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    let created: ExpressionEditor | undefined;
    const former = store.getState().expressions.text;
    const load = async (): Promise<void> => {
      const { createEditor } = await loadCode(() => import("./editor/create-editor.ts"));
      // In a separate task: evaluating the editor's code and creating an editor would together block for over 50 ms.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (isGone || !host.current) return;
      created = createEditor({
        parent: host.current,
        text: store.getState().expressions.text,
        label,
        onChange: expressions.setText,
        onCompute: () => void expressions.compute(),
        scope: () => ({ fields: knownNames(store.getState()) }),
      });
      const area = plain.current;
      if (area && document.activeElement === area) {
        const isTyping = store.getState().expressions.text !== former;
        created.focusAt(area.selectionStart, area.selectionEnd, isTyping);
      }
      // Synchronously, so that there are never two text boxes of the same name.
      flushSync(() => setEditor(created));
    };
    load().catch(() => {
      if (isGone) return;
      announce(
        "The editor's colours and completion could not be loaded; loading is tried again when you come back to it.",
      );
      setWanted(false);
    });
    return () => {
      isGone = true;
      created?.destroy();
    };
  }, [isWanted, store, expressions, announce]);

  // The store's text, because a key pressed since the last render has made the rendered text stale.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rendered text signals that the store's has changed
  useEffect(() => editor?.setText(store.getState().expressions.text), [editor, store, text]);
  useEffect(() => editor?.setError(error), [editor, error]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fields and numbers are what the scope is made of
  useEffect(() => editor?.scopeChanged(), [editor, dataSet, derived, quantities]);

  return (
    <div>
      <div ref={host} />
      {!editor && (
        <textarea
          ref={plain}
          className={styles.plain}
          aria-label={label}
          spellCheck={false}
          value={text}
          onPointerEnter={() => setWanted(true)}
          onFocus={() => setWanted(true)}
          onChange={({ currentTarget }) => expressions.setText(currentTarget.value)}
          onKeyDown={({ key, ctrlKey, metaKey }) => {
            if (key === "Enter" && (ctrlKey || metaKey)) void expressions.compute();
          }}
        />
      )}
    </div>
  );
}
