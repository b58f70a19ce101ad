/** All that the palette finds: commands and settings of the page, new layers, fields, functions. */
import { kindTitles } from "../../engine/layers/titles.ts";
import { documentedFunctions, type FunctionDoc } from "../../lang/expression/editor/documentation.ts";
import { choicesOf } from "../store/field-choice.ts";
import { kindsFor } from "../store/layers/kinds-for.ts";
import { allFields } from "../store/select.ts";
import type { Session } from "../store/session.ts";
import { pageCommands } from "./page-commands.ts";
import type { PaletteEntry } from "./search.ts";
import { wordsOfKind } from "./words.ts";

export function paletteEntries(session: Session): readonly PaletteEntry[] {
  return [...pageCommands(document), ...newLayers(session), ...fields(session), ...functions(session)];
}

function newLayers({ store, layers }: Session): PaletteEntry[] {
  const { device, data } = store.getState();
  if (device.summary?.kind !== "gpu" || !data.dataSet) return [];
  return kindsFor(data.dataSet).map((kind) => ({
    group: "Layers",
    title: `Add ${kindTitles[kind].toLowerCase()}`,
    words: wordsOfKind[kind],
    run: () => void layers.add(kind),
  }));
}

function fields({ store, layers }: Session): PaletteEntry[] {
  return allFields(store.getState()).flatMap((field) =>
    choicesOf(field).map(({ expression, label }) => ({
      group: "Fields" as const,
      title: label,
      hint: "Show it",
      words: "variable array scalar vector",
      run: () => void layers.showField(expression),
    })),
  );
}

function functions(session: Session): PaletteEntry[] {
  return documentedFunctions.map(({ name, aliases, doc }) => ({
    group: "Functions",
    title: doc.signature,
    hint: doc.group,
    words: [name, ...aliases].join(" "),
    doc,
    run: () => write(session, doc),
  }));
}

/** Puts a function's example into the editor, on a line of its own behind what a person has written there. */
function write({ store, expressions }: Session, { example }: FunctionDoc): void {
  const { text, isSuggested } = store.getState().expressions;
  expressions.setText(isSuggested || text.trim() === "" ? example : `${text.trimEnd()}\n${example}`);
  document.querySelector<HTMLElement>("[aria-label=Expression]")?.focus();
}
