import { type Diagnostic, linter } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import type { PlainError } from "../../../core/errors.ts";
import { diagnose, type Scope } from "../../../lang/expression/editor/analyze.ts";

/** An error that only the engine can find, such as a result that does not fit in memory. */
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

/** Underlines the errors found by the language's checker and by the engine. */
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

/** Widens an empty range, such as the end of the text where something is missing: it could not be underlined. */
function visibleRange(from: number, to: number, length: number): { from: number; to: number } {
  const start = Math.min(from, length);
  const end = Math.min(Math.max(to, start), length);
  if (end > start) return { from: start, to: end };
  return start < length ? { from: start, to: start + 1 } : { from: Math.max(0, start - 1), to: start };
}
