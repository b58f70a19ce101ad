/** Addresses of style sheets that failed to load. */
const failed = new Set<string>();

addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    failed.add(target.href);
    target.remove();
  },
  true,
);

/**
 * Loads the style sheets that have failed: the bundler's loader requests each only once, and then takes it for loaded.
 * Throws if one fails again.
 */
export async function loadFailedStyles(): Promise<void> {
  await Promise.all([...failed].map(loadStyle));
}

function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => {
      failed.delete(href);
      resolve();
    });
    link.addEventListener("error", () => reject(new Error(`${href} could not be loaded.`)));
    document.head.append(link);
  });
}
