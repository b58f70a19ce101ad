/** Words that are part of the language and need quotes to be names. */
export const keywords: ReadonlySet<string> = new Set(["if", "then", "else", "and", "or", "not", "def"]);

const identifier =
  /^[A-Za-z_\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2fef\u3040-\ud7ff\uf900-\ufdcf][\w\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2080-\u2089\u2c00-\u2fef\u3040-\ud7ff\uf900-\ufdcf]*$/;

/** The name as the language writes it: bare if possible, otherwise in double quotes. */
export function quoteName(name: string): string {
  if (identifier.test(name) && !keywords.has(name)) return name;
  return `"${name.replace(/[\\"]/g, "\\$&")}"`;
}

/** The name that `written` denotes: bare, in quotes, or in VisIt's angle brackets. */
export function nameOfQuoted(written: string): string {
  if (written.startsWith("<")) return written.slice(1, -1);
  return written.startsWith('"') ? written.slice(1, -1).replace(/\\(.)/g, "$1") : written;
}

/** A field's name, alone or in one call or index, as people read it: `magnitude("X Velocity")` without the quotes. */
export function withoutQuotes(expression: string): string {
  const [, before, quoted, after] =
    /^((?:\w+\()?)("(?:[^"\\]|\\.)*")(\)?(?:\[\d+\])*)$/.exec(expression) ?? [];
  return quoted === undefined ? expression : `${before}${nameOfQuoted(quoted)}${after}`;
}
