import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Scope } from "../../../lang/expression/editor/analyze.ts";
import { type Hover, hoverAt } from "../../../lang/expression/editor/hover.ts";

/** Explains a name while the pointer rests on it. */
export function tooltipIn(scope: () => Scope): Extension {
  return hoverTooltip(({ state }, position) => {
    const hover = hoverAt(state.doc.toString(), position, scope());
    if (!hover) return null;
    return { pos: hover.from, end: hover.to, above: true, create: () => ({ dom: tooltipOf(hover) }) };
  });
}

function tooltipOf({ title, type, doc, info }: Hover): HTMLElement {
  const box = document.createElement("div");
  box.className = "cm-doc";
  const add = (tag: string, text: string | undefined): void => {
    if (!text) return;
    const element = document.createElement(tag);
    element.textContent = text;
    box.append(element);
  };
  add("strong", title);
  add("em", type);
  add("p", doc?.summary ?? info);
  add("code", doc?.formula);
  add("code", doc?.example);
  return box;
}
