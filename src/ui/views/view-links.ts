import { linkKey } from "../store/saved/view.ts";

/** The view's part of the page's address, where there is one; it leaves the address bar, so that a reload goes on. */
export function takeViewLink(): string | undefined {
  const { hash, pathname, search } = location;
  if (!new URLSearchParams(hash.slice(1)).has(linkKey)) return undefined;
  history.replaceState(null, "", pathname + search);
  return hash;
}

/** Hears the views that are put into the address bar of the open page. */
export function hearViewLinks(heard: (hash: string) => void): void {
  addEventListener("hashchange", () => {
    const hash = takeViewLink();
    if (hash !== undefined) heard(hash);
  });
}
