// The licences of what is bundled: a Vite plugin that notes which packages' modules a build contains, and the file that names them
// with their texts (dist/THIRD-PARTY-NOTICES.txt).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Licences under which others may pass a package on with its text alone. */
const known = /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0)\b/;
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** @param {string} root @param {string} build */
const listOf = (root, build) => join(root, `dist/.packages-${build}.json`);

/**
 * Notes the packages of a build, and of its workers, whose plugins are others.
 * @param {string} root the project's folder @param {string} build "web", "node" or "lib"
 * @returns {() => import("vite").Plugin} makes the plugin of the build, or of a worker
 */
export function bundledPackages(root, build) {
  /** @type {Set<string>} */
  const folders = new Set();
  return () => ({
    name: "bundled-packages",
    apply: "build",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        for (const [id, { renderedLength }] of Object.entries(file.modules)) {
          const folder = packageFolder.exec(id.replace(/^\0/, "").replaceAll("\\", "/"))?.[0];
          if (folder && renderedLength > 0) folders.add(folder.slice(folder.indexOf("node_modules/")));
        }
      }
      mkdirSync(join(root, "dist"), { recursive: true });
      writeFileSync(listOf(root, build), JSON.stringify([...folders].sort()));
    },
  });
}

/**
 * Writes the notices of all builds. Throws where a package has no licence that is known, or no text of it.
 * @param {string} root @param {readonly string[]} builds
 */
export function writeNotices(root, builds) {
  const folders = new Set(builds.flatMap((build) => JSON.parse(readFileSync(listOf(root, build), "utf8"))));
  writeFileSync(
    join(root, "dist/THIRD-PARTY-NOTICES.txt"),
    noticesOf([...folders].map((f) => join(root, f))),
  );
}

/** The notices of the packages in these folders. @param {readonly string[]} folders */
export function noticesOf(folders) {
  /** Packages by their texts, as those of one family share theirs. @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { title, text } of folders.map(noticeOf).sort((a, b) => (a.title < b.title ? -1 : 1))) {
    const titles = byText.get(text) ?? [];
    if (!titles.includes(title)) titles.push(title);
    byText.set(text, titles);
  }
  const parts = [...byText].map(([text, titles]) => `${titles.join("\n")}\n\n${text}\n`);
  return `This package contains code of these packages, under their licences.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!known.test(license)) {
    throw new Error(
      `${name} ${version} is bundled under “${license}”: see whether it may be, and add it to tools/notices.mjs.`,
    );
  }
  const files = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  const by = typeof author === "string" ? author : author?.name;
  return {
    title: `${name} ${version} (${license})`,
    text: texts.join("\n\n") || standardText(folder, license, by),
  };
}

/** The text of a licence that a package names without its text. @param {string} folder @param {string} license @param {string} [author] */
function standardText(folder, license, author = "the authors") {
  if (license !== "MIT") throw new Error(`${folder} has no text of its licence, ${license}.`);
  return `The MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do
so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
