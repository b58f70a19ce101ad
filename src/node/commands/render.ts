import { noJob } from "../../core/job.ts";
import type { Viewport } from "../../core/view.ts";
import { drawView } from "../../engine/saved-view/draw-view.ts";
import { textOf } from "../../engine/saved-view/link.ts";
import { readView } from "../../engine/saved-view/read-view.ts";
import { linkKey, type SavedView } from "../../engine/saved-view/view.ts";
import { choiceOption, numberOption } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { openGpuSession } from "../device.ts";
import { installCanvas } from "../install-canvas.ts";
import { pathSource } from "../path-source.ts";
import { readViewData } from "../view-data.ts";
import { pictureWriter } from "../write-file.ts";
import { required, usage } from "./surfaces/extract.ts";

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
  out: { type: "string", help: "File for the picture: .png" },
} as const;

/** Draws a view that the page saved. */
export const renderCommand: Command<typeof options> = {
  name: "render",
  usage: "render VIEW [--data FILE] [--size WIDTHxHEIGHT] [--scale N] [--theme light|dark] --out picture.png",
  summary: "Draws a view that the page saved as a file or copied as a link, as the page's picture shows it.",
  positionals: ["VIEW"],
  options,
  async run(
    { positionals: [given], options: { data, size = "1920x1080", scale = "1", theme, out } },
    terminal,
  ) {
    const write = pictureWriter(required("out", out));
    const picture = pictureSize(size, scale);
    const chosen = choiceOption("theme", theme ?? "light", ["light", "dark"]);
    const view = await readGiven(given);
    const { source } = view;
    const content = source.kind === "lattice" ? source : await readViewData(source, data, terminal);
    const { hasFonts } = await installCanvas();
    if (!hasFonts) terminal.err("This machine has no fonts, so the picture has no numbers and no titles.");
    const session = await openGpuSession(terminal);
    const prepared = await ("model" in content
      ? session.prepareLattice(content, noJob)
      : session.prepare(content, noJob));
    await session.setData(prepared);
    const start = performance.now();
    const { png, layers, triangles, notes } = await drawView(
      session,
      view,
      { ...picture, theme: chosen },
      noJob,
    );
    const ms = performance.now() - start;
    for (const note of notes) terminal.err(note);
    await write(png);
    const { scale: ratio, viewport } = picture;
    const [width, height] = [viewport.width, viewport.height].map((side) => Math.round(side * ratio));
    return { width, height, layers, triangles, bytes: png.size, ms };
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
function pictureSize(
  size: string,
  scaleText: string,
): { readonly viewport: Viewport; readonly scale: number } {
  const [, width, height] = /^([1-9]\d*)x([1-9]\d*)$/.exec(size) ?? [];
  if (width === undefined) {
    const remedy = "Write the width and the height in pixels: 1920x1080.";
    throw usage(`The option --size is “${size}”.`, remedy);
  }
  const scale = numberOption("scale", scaleText);
  if (!(scale >= 1 && scale <= 4)) throw usage(`The option --scale is ${scale}.`, "Choose one from 1 to 4.");
  return { viewport: { width: Number(width) / scale, height: Number(height) / scale, pixelRatio: 1 }, scale };
}
