import { useEffect, useRef, useState } from "react";
import { useApp, useSession } from "../session-context.tsx";
import { allFields } from "../store/select.ts";
import styles from "./Editor.module.css";
import type { ExpressionEditor } from "./editor/create-editor.ts";

const label = "Expression";

/** The expression's editor. A plain text area stands in until the real one has been loaded, and keeps its text. */
export function Editor() {
  const { store, expressions } = useSession();
  const text = useApp(({ expressions }) => expressions.text);
  const error = useApp(({ expressions }) => expressions.error);
  const dataSet = useApp(({ data }) => data.dataSet);
  const derived = useApp(({ data }) => data.derived);
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [editor, setEditor] = useState<ExpressionEditor>();

  useEffect(() => {
    let isGone = false;
    let created: ExpressionEditor | undefined;
    const load = async (): Promise<void> => {
      const { createEditor } = await import("./editor/create-editor.ts");
      if (isGone || !host.current) return;
      const hadFocus = document.activeElement === plain.current;
      created = createEditor({
        parent: host.current,
        text: store.getState().expressions.text,
        label,
        onChange: expressions.setText,
        onCompute: () => void expressions.compute(),
        scope: () => ({ fields: allFields(store.getState()) }),
      });
      if (hadFocus) created.focus();
      setEditor(created);
    };
    const cancel = whenIdle(() => void load());
    return () => {
      isGone = true;
      cancel();
      created?.destroy();
    };
  }, [store, expressions]);

  useEffect(() => editor?.setText(text), [editor, text]);
  useEffect(() => editor?.setError(error), [editor, error]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are what the scope is made of
  useEffect(() => editor?.scopeChanged(), [editor, dataSet, derived]);

  return (
    <>
      <div ref={host} hidden={!editor} />
      {!editor && (
        <textarea
          ref={plain}
          className={styles.plain}
          aria-label={label}
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => expressions.setText(currentTarget.value)}
          onKeyDown={({ key, ctrlKey, metaKey }) => {
            if (key === "Enter" && (ctrlKey || metaKey)) void expressions.compute();
          }}
        />
      )}
    </>
  );
}

/** After the first picture's rush, where the browser can tell. */
function whenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 1500 });
  return () => cancelIdleCallback(handle);
}
