import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const highlightStyle = HighlightStyle.define([
  { tag: tags.lineComment, color: "var(--token-comment)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--token-number)" },
  { tag: [tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword], color: "var(--token-keyword)" },
  { tag: tags.function(tags.variableName), color: "var(--token-function)" },
  { tag: tags.definition(tags.variableName), color: "var(--token-definition)", fontWeight: "600" },
]);

/** Styles the editor with the page's own colours, in either theme. */
export const editorTheme = EditorView.theme({
  "&": {
    border: "1px solid var(--line)",
    borderRadius: "6px",
    background: "var(--sunken)",
    color: "var(--ink)",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", maxHeight: "220px" },
  ".cm-content": {
    minHeight: "calc(var(--editor-height) - 2px)",
    padding: "8px 0",
    caretColor: "var(--ink)",
  },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, & ::selection": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent) !important",
  },
  ".cm-placeholder": { color: "var(--token-comment)" },
  "&.cm-focused .cm-matchingBracket": { background: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-tooltip": {
    maxWidth: "min(420px, 92vw)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    background: "var(--raised)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    borderRadius: "5px",
    fontFamily: "var(--mono)",
    fontSize: "12.5px",
    maxHeight: "14em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal" },
  ".cm-tooltip.cm-completionInfo": { padding: "8px 10px" },
  ".cm-doc": { display: "grid", gap: "4px", padding: "8px 10px" },
  ".cm-doc strong, .cm-doc code": { fontFamily: "var(--mono)", fontSize: "12.5px" },
  ".cm-doc em": { color: "var(--ink-soft)", fontStyle: "normal" },
  ".cm-doc p": { margin: "0" },
  ".cm-doc code": { color: "var(--token-function)" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid var(--danger)" },
});
