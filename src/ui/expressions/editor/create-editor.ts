import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, lintKeymap } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import type { PlainError } from "../../../core/errors.ts";
import type { Scope } from "../../../lang/expression/editor/analyze.ts";
import { expressionLanguage } from "../../../lang/expression/editor/language.ts";
import { besideOrBelow, completeIn } from "./completion.ts";
import { engineErrorField, lintIn, showEngineError } from "./lint.ts";
import { editorTheme, highlightStyle } from "./theme.ts";
import { tooltipIn } from "./tooltip.ts";

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** The accessible name of the textbox. */
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly onCompute: () => void;
  /** The names that expressions may use at this moment. */
  readonly scope: () => Scope;
}

export interface ExpressionEditor {
  setText(text: string): void;
  /** Underlines the engine's error until the text changes. */
  setError(error: PlainError | undefined): void;
  /** Checks the text again because the fields have changed. */
  scopeChanged(): void;
  /**
   * Focuses the editor with the text between two offsets selected, and offers to complete a word that is being typed.
   */
  focusAt(anchor: number, head: number, isTyping: boolean): void;
  destroy(): void;
}

export function createEditor({
  parent,
  text,
  label,
  onChange,
  onCompute,
  scope,
}: EditorOptions): ExpressionEditor {
  const compute = (): boolean => {
    onCompute();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        expressionLanguage(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [completeIn(scope)], icons: false, positionInfo: besideOrBelow }),
        syntaxHighlighting(highlightStyle),
        engineErrorField,
        lintIn(scope),
        tooltipIn(scope),
        editorTheme,
        placeholder("q = q_criterion(velocity)"),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: compute }])),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(latest) {
      const former = view.state.doc.toString();
      if (latest === former) return;
      const changes = { from: 0, to: former.length, insert: latest };
      view.dispatch({ changes, selection: { anchor: latest.length } });
    },
    setError(error) {
      view.dispatch({ effects: showEngineError.of(error) });
      forceLinting(view);
    },
    scopeChanged: () => forceLinting(view),
    focusAt(anchor, head, isTyping) {
      view.dispatch({ selection: { anchor, head } });
      view.focus();
      if (isTyping && /\w$/.test(view.state.sliceDoc(0, head))) startCompletion(view);
    },
    destroy: () => view.destroy(),
  };
}
