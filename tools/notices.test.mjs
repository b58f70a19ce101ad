import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noticesOf } from "./notices.mjs";

const root = mkdtempSync(join(tmpdir(), "crinkle-notices-"));
afterAll(() => rmSync(root, { recursive: true }));

/** @param {string} name @param {string} license @param {string} [text] */
function packageOf(name, license, text) {
  const folder = join(root, name);
  mkdirSync(folder);
  const author = { name: "Ada" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", license, author }));
  if (text !== undefined) writeFileSync(join(folder, "LICENSE.md"), text);
  return folder;
}

describe("notices", () => {
  it("have each text once, after the packages that it is of", () => {
    const folders = ["b", "a"].map((name) => packageOf(name, "ISC", "Permission …\r\n"));
    expect(noticesOf(folders)).toMatch(/a 1\.0\.0 \(ISC\)\nb 1\.0\.0 \(ISC\)\n\nPermission …\n$/);
  });

  it("give MIT's text, with the holder, where a package only names it", () => {
    expect(noticesOf([packageOf("bare", "MIT")])).toMatch(
      /bare 1\.0\.0 \(MIT\).*Copyright \(c\) Ada.*AS IS/s,
    );
  });

  it("refuse other licences, and licences without a text", () => {
    expect(() => noticesOf([packageOf("copyleft", "GPL-3.0", "…")])).toThrow(
      "copyleft 1.0.0 is bundled under “GPL-3.0”",
    );
    expect(() => noticesOf([packageOf("apache", "Apache-2.0")])).toThrow("has no text of its licence");
  });
});
