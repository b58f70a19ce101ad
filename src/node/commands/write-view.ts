import { noJob } from "../../core/job.ts";
import { pixelsOf } from "../../core/projection.ts";
import { type DrawViewOptions, drawView } from "../../engine/saved-view/draw-view.ts";
import type { SavedView } from "../../engine/saved-view/view.ts";
import type { Session } from "../../engine/session.ts";
import type { Terminal } from "../command-line/command.ts";
import { installCanvas } from "../install-canvas.ts";

/** A view that is to be drawn, and where its picture goes. */
export interface ViewToWrite {
  readonly view: SavedView;
  readonly options: DrawViewOptions;
  readonly write: (png: Blob) => Promise<void>;
}

/** Draws a view of a session's data and writes the picture. Resolves to what is printed of it. */
export async function writeView(session: Session, { view, options, write }: ViewToWrite, terminal: Terminal) {
  const start = performance.now();
  const { png, layers, triangles, notes } = await drawView(session, view, options, noJob);
  const ms = performance.now() - start;
  for (const note of notes) terminal.err(note);
  await write(png);
  return { ...pixelsOf(options.viewport), layers, triangles, bytes: png.size, ms };
}

/** Installs what writes texts into pictures, and says where there are no fonts. Throws Refused. */
export async function installFonts(terminal: Terminal): Promise<void> {
  const { hasFonts } = await installCanvas();
  if (!hasFonts) terminal.err("This machine has no fonts, so the picture has no numbers and no titles.");
}
