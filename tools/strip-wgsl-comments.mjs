/**
 * A Vite plugin for builds: shaders without their comments, which browsers would load with every page. It looks at template
 * literals that are marked as WGSL, up to the first expression with a template of its own.
 *
 * @returns {import("vite").Plugin}
 */
export function stripWgslComments() {
  return {
    name: "strip-wgsl-comments",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id) || !code.includes("/* wgsl */")) return undefined;
      return { code: code.replace(/\/\* wgsl \*\/ `[^`]*/g, withoutComments), map: null };
    },
  };
}

/** Without lines that are comments alone. @param {string} text */
export const withoutComments = (text) =>
  text
    .replace(/\n[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/(?=[ \t]*\n)/g, "")
    .replace(/\n[ \t]*\/\/[^\n]*(?=\n)/g, "");
