import { type Diagnostic, linter } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import type { PlainError } from "../../../core/errors.ts";
import { diagnose, type Scope } from "../../../lang/expression/editor/analyze.ts";

/** An error that only the engine could find, such as too little memory for a result. */
export const showEngineError = StateEffect.define<PlainError | undefined>();

/** Holds the engine's error until the text changes. */
export const engineErrorField = StateField.define<PlainError | undefined>({
  create: () => undefined,
  update(error, transaction) {
    for (const effect of transaction.effects) if (effect.is(showEngineError)) return effect.value;
    return transaction.docChanged ? undefined : error;
  },
});

const lintDelayMs = 350;

/** Underlines what the checker of the language finds, and what the engine has found. */
export function lintIn(scope: () => Scope): Extension {
  return linter(({ state }) => diagnosticsOf(state, scope()), { delay: lintDelayMs });
}

function diagnosticsOf(state: EditorState, scope: Scope): Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === "") return [];
  const found: Diagnostic[] = diagnose(text, scope).map(({ from, to, severity, message }) => ({
    ...visibleRange(from, to, text.length),
    severity,
    message,
  }));
  const error = state.field(engineErrorField);
  if (error?.span && found.length === 0) {
    const message = `${error.problem} ${error.remedy}`.trim();
    const { from, to } = error.span;
    found.push({ ...visibleRange(from, to, text.length), severity: "error", message });
  }
  return found;
}

/** An empty range, such as the end of the text where something is missing, cannot be underlined: take a neighbour. */
function visibleRange(from: number, to: number, length: number): { from: number; to: number } {
  const start = Math.min(from, length);
  const end = Math.min(Math.max(to, start), length);
  if (end > start) return { from: start, to: end };
  return start < length ? { from: start, to: start + 1 } : { from: Math.max(0, start - 1), to: start };
}
