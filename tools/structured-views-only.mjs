/**
 * A Vite plugin for builds: of webgpu-utils what comes before its reflection of shaders, which are the views of structs. The rest
 * is a twentieth of what the page loads first, and bundlers keep it, because its classes are filled in as it is loaded.
 *
 * @returns {import("vite").Plugin}
 */
export function structuredViewsOnly() {
  return {
    name: "structured-views-only",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      return /\/webgpu-utils\.module\.js$/.test(id) ? { code: structuredViews(code), map: null } : undefined;
    },
  };
}

/** @param {string} code of the whole library */
export function structuredViews(code) {
  // The reflection is somebody else's, minified: one line of 200,000 characters.
  const rest = code.search(/^.{10000,}$/m);
  const views = code.slice(0, rest);
  if (rest < 0 || !views.includes("\nfunction makeStructuredView("))
    throw new Error(
      "webgpu-utils is laid out in another way than tools/structured-views-only.mjs expects: change it, or leave it out.",
    );
  return `${views}\nexport { makeStructuredView };\n`;
}
