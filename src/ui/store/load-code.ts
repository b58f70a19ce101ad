/** Modules that came by another address than the one that failed, by the latter. */
const replacements = new Map<string, Promise<unknown>>();
let attempts = 0;

/**
 * What `load`, a function with one `import()`, resolves to; where that fails, the module is requested once more.
 * Chromium (150 and before) keeps a failed module as failed until the page is reloaded, so it is requested by another
 * address, which Chromium's and Firefox's messages make known.
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const address = /https?:\S+/.exec(error instanceof Error ? error.message : "")?.[0];
    if (address === undefined) throw error;
    const known = replacements.get(address);
    if (known) return known as Promise<Module>;
    const replacement: Promise<Module> = import(/* @vite-ignore */ `${address}?attempt=${++attempts}`);
    replacements.set(address, replacement);
    replacement.catch(() => replacements.delete(address));
    return replacement;
  }
}
