/**
 * A Vite plugin for builds of workers: filters without their summaries and formulas, which the editor alone shows, and browsers
 * would load with every page.
 *
 * @returns {import("vite").Plugin}
 */
export function stripSummaries() {
  return {
    name: "strip-summaries",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/lang\/expression\/(filters|check)\/.*\.ts$/.test(id)) return undefined;
      return { code: withoutSummaries(code), map: null };
    },
  };
}

/** With empty texts where they are plain strings. @param {string} code */
export const withoutSummaries = (code) =>
  code.replace(/\b(summary|formula):(\s*)"(?:[^"\\]|\\.)*"/g, '$1:$2""');
