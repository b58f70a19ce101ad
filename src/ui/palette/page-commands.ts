/** The page's own buttons and settings, as what a search can find: what is added to the page is found without being listed. */
import type { PaletteEntry } from "./search.ts";
import { wordsOfName } from "./words.ts";

const controls = "button, input, select, textarea, a[href]";

/** The controls of the document that can be used now and have a name, each once. */
export function pageCommands(root: Document): PaletteEntry[] {
  const entries = new Map<string, PaletteEntry>();
  for (const control of root.querySelectorAll<HTMLElement>(controls)) {
    if (!canBeUsed(control)) continue;
    const name = nameOf(control);
    const hint = sectionOf(control);
    const key = `${name}\n${hint ?? ""}`;
    if (!name || entries.has(key)) continue;
    const words = wordsOfName(name);
    entries.set(key, { group: "Commands", title: name, hint, words, run: () => use(control) });
  }
  return [...entries.values()];
}

const canBeUsed = (control: HTMLElement): boolean =>
  !control.matches(":disabled, [aria-disabled=true]") &&
  !control.closest("[aria-hidden=true], [role=dialog], [inert]") &&
  control.checkVisibility({ visibilityProperty: true });

/** As screen readers say it. */
function nameOf(control: HTMLElement): string {
  const labelled = control.getAttribute("aria-labelledby");
  const label = labelled ? document.getElementById(labelled.split(" ")[0])?.textContent : undefined;
  const own = "labels" in control ? (control.labels as NodeListOf<HTMLElement> | null)?.[0] : undefined;
  const text = control.matches("select, input, textarea") ? own?.textContent : control.textContent;
  const name = control.getAttribute("aria-label") ?? label ?? (text || control.title);
  return name.replaceAll(/\s+/g, " ").trim();
}

/** The heading of the part of the page that it stands in. */
function sectionOf(control: HTMLElement): string | undefined {
  const section = control.closest<HTMLElement>("section");
  const heading = section?.getAttribute("aria-label") ?? section?.querySelector("h2, h3")?.textContent;
  return heading?.trim() || undefined;
}

/** Presses a button; leads to a setting. */
function use(control: HTMLElement): void {
  control.scrollIntoView({ block: "nearest" });
  control.focus();
  if (control.matches("button, a[href], input[type=file], input[type=checkbox], input[type=radio]"))
    control.click();
}
