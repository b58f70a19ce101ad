import { basename } from "node:path";
import type { Viewport } from "../../core/view.ts";
import { textOf } from "../../engine/saved-view/link.ts";
import { readView } from "../../engine/saved-view/read-view.ts";
import { linkKey, type SavedView } from "../../engine/saved-view/view.ts";
import { choiceOption, numberOption, required, usage } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { openGpuSession } from "../device.ts";
import { pathSource } from "../path-source.ts";
import { openViewSession, showsPoints } from "../view-data.ts";
import { pictureWriter } from "../write-file.ts";
import { ownRanks } from "./own-ranks.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { installFonts, writeView } from "./write-view.ts";

const options = {
  data: {
    type: "string",
    help: "The file to show: required where the view is of a file, and else instead of its data",
  },
  size: { type: "string", help: "WIDTHxHEIGHT: the picture's pixels (1920x1080)" },
  scale: {
    type: "string",
    help: "Pixels of the picture for each of the page's, from 1 to 4: 2 for text twice as large (1)",
  },
  theme: { type: "string", help: "light or dark (light)" },
  ranks: {
    type: "string",
    help: "Ranks that compute and draw, each its part: this process, and others that it starts on this machine (1)",
  },
  out: { type: "string", help: "File for the picture: .png" },
  ...rawOptions,
} as const;

const onOneRank = "Points are drawn by one rank: no others are started.";

/** Draws a view that the page saved. */
export const renderCommand: Command<typeof options> = {
  name: "render",
  usage:
    "render VIEW [--data FILE] [--size WIDTHxHEIGHT] [--scale N] [--theme light|dark] [--ranks N] --out picture.png " +
    rawUsage,
  summary: "Draws a view that the page saved as a file or copied as a link, as the page's picture shows it.",
  positionals: ["VIEW"],
  options,
  async run({ positionals: [path], options: given }, terminal) {
    const { data, size = "1920x1080", scale = "1", theme, ranks, out } = given;
    const write = pictureWriter(required("out", out));
    const viewport = pictureViewport(size, scale);
    const options = { viewport, theme: choiceOption("theme", theme ?? "light", ["light", "dark"]) };
    const raw = wantedRaw(given);
    if (raw && data === undefined)
      throw usage("--dims is given without --data.", "It describes the file of --data.");
    const saved = await readGiven(path);
    const view = raw
      ? { ...saved, source: { kind: "file", name: basename(data ?? ""), raw } as const }
      : saved;
    const { source } = view;
    const count = ownRanks(ranks, 1, process.env);
    const hasPoints = showsPoints(view);
    if (hasPoints && count !== undefined && count > 1) terminal.err(onOneRank);
    if (count === undefined || (count !== 1 && !hasPoints)) {
      const { renderOnRanks } = await import("./render-on-ranks.ts");
      return renderOnRanks({ view, data, ranks, options, write }, terminal);
    }
    await installFonts(terminal);
    const session = await openViewSession(source, data, terminal, () => openGpuSession(terminal));
    return writeView(session, { view, options, write }, terminal);
  },
};

/** The view in a file, or in a link. Throws BadFile, UnsupportedFormat. */
async function readGiven(given: string): Promise<SavedView> {
  const fragment = given.indexOf(`#${linkKey}=`);
  if (fragment >= 0) return readView(await textOf(given.slice(fragment)));
  const file = pathSource(given);
  try {
    return readView(new TextDecoder().decode(await file.read(0, file.size)));
  } finally {
    await file.close();
  }
}

/** The page's view whose picture has the given pixels. Throws Usage. */
function pictureViewport(size: string, scaleText: string): Viewport {
  const [, width, height] = /^([1-9]\d*)x([1-9]\d*)$/.exec(size) ?? [];
  if (width === undefined) {
    const remedy = "Write the width and the height in pixels: 1920x1080.";
    throw usage(`The option --size is “${size}”.`, remedy);
  }
  const scale = numberOption("scale", scaleText);
  if (!(scale >= 1 && scale <= 4)) throw usage(`The option --scale is ${scale}.`, "Choose one from 1 to 4.");
  return { width: Number(width) / scale, height: Number(height) / scale, pixelRatio: scale };
}
