import { linkKey } from "../../engine/saved-view/view.ts";

/**
 * Takes the view's part of the page's address, if there is one, out of the address bar, so that a reload keeps the
 * present view.
 */
export function takeViewLink(): string | undefined {
  const { hash, pathname, search } = location;
  if (!new URLSearchParams(hash.slice(1)).has(linkKey)) return undefined;
  history.replaceState(null, "", pathname + search);
  return hash;
}

/** Calls back for views that are entered into the address bar of the open page. */
export function hearViewLinks(heard: (hash: string) => void): void {
  addEventListener("hashchange", () => {
    const hash = takeViewLink();
    if (hash !== undefined) heard(hash);
  });
}
