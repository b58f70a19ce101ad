// Drags the isovalue of a large sample in the built page as a person does, with ranks beside the page, and turns the camera:
//
//   npm run bench -- drag [--size 512] [--ranks 0,1,2,4] [--seconds 3] [--setting room|group] [--limit 30] [--out FOLDER] [--json]
//
// Writes drag.json into the folder after each case, and the picture after each drag. Besides the built page and command line
// it needs playwright-core, and node-datachannel for WebRTC.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page, type Worker } from "playwright-core";
import { differingPixels } from "../e2e/helpers/pixels.ts";
import { describeError } from "../src/core/errors.ts";
import type { DrawingMethod } from "../src/engine/ranks/drawing-choice.ts";
import {
  chooseMethod,
  dragIsovalue,
  madeBy,
  savedPicture,
  settled,
  type TurnFigures,
  turnCamera,
  until,
} from "./drag/drive.ts";
import { writeTangle } from "./drag/field-file.ts";
import type { DragFigures } from "./drag/figures.ts";
import { RankProcesses } from "./drag/rank-processes.ts";
import { watch } from "./drag/watch.ts";
import { serveBuilt } from "./serve-built.ts";

type Setting = "room" | "group";

interface Row {
  readonly setting: Setting | "alone";
  readonly ranks: number;
  readonly method: DrawingMethod | "alone";
  readonly size: number;
  readonly triangles?: number;
  readonly byRanks?: boolean;
  readonly drag?: DragFigures;
  readonly turn?: TurnFigures;
  /** Share of the pixels that differ from the picture of the page alone. */
  readonly differing?: number;
  readonly problem?: string;
}

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "512" },
    ranks: { type: "string", default: "0,1,2,4" },
    seconds: { type: "string", default: "3" },
    setting: { type: "string", default: "room" },
    limit: { type: "string", default: "30" },
    out: { type: "string", default: "dist/bench/drag" },
    json: { type: "boolean", default: false },
  },
});
const size = Number(values.size);
const seconds = Number(values.seconds);
const limitMs = 1000 * Number(values.limit);
const setting: Setting = values.setting === "group" ? "group" : "room";
const counts = values.ranks.split(",").map(Number);
const rows: Row[] = [];
let alone: Buffer | undefined;

async function record(row: Row): Promise<void> {
  rows.push(row);
  await writeFile(join(values.out, "drag.json"), `${JSON.stringify(rows, undefined, 1)}\n`);
  if (values.json) console.log(JSON.stringify(row));
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(limitMs);
  await page.goto(url);
  await page
    .getByRole("status")
    .getByText(/[1-9][\d,]* triangles/)
    .waitFor();
  return page;
}

async function openSample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Samples" }).click();
  await page.getByLabel("Points per direction of Tangle").selectOption(String(size));
  await page.getByRole("button", { name: "Tangle", exact: true }).click();
  await page
    .getByText(new RegExp(`Tangle.*${size}³`))
    .first()
    .waitFor();
  await settled(page);
}

/** Opens a room; returns its link. */
async function share(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share" }).click();
  const panel = page.getByRole("dialog", { name: "Cluster" });
  const approving = panel.getByRole("switch", { name: "Approve all with this link" });
  await approving.waitFor({ state: "attached" });
  await approving.setChecked(true, { force: true });
  return panel.getByRole("textbox", { name: "Invitation link" }).inputValue();
}

async function measure(page: Page, worker: Worker, of: Pick<Row, "setting" | "ranks" | "method" | "size">) {
  const drag = await dragIsovalue(page, worker, seconds);
  const { byRanks, triangles } = await madeBy(page);
  const picture = await savedPicture(page);
  await writeFile(join(values.out, `${of.setting}-${of.ranks}-${of.method}.png`), picture);
  alone ??= picture;
  const differing = await differingPixels(page, alone, picture);
  const turn = await turnCamera(page, worker, Math.min(2, seconds));
  await record({ ...of, triangles, byRanks, drag, turn, differing });
}

async function withRanks(page: Page, ranks: number, processes: RankProcesses, file: string): Promise<void> {
  if (setting === "room") await openSample(page);
  const link = await share(page);
  if (setting === "room") processes.join(ranks, link);
  else {
    processes.joinAsGroup(ranks, link, file);
    const jobs = page.getByRole("list", { name: "Data of jobs" });
    await jobs.getByRole("button", { name: /^Open / }).click();
    await jobs.getByRole("button", { name: /^Reopen / }).waitFor();
  }
  const others = page.getByRole("table", { name: "Ranks of the room" }).locator("tbody tr");
  const members = setting === "room" ? ranks + 1 : 2;
  await until(async () => (await others.count()) === members, `a room of ${members}`, limitMs);
  await page.keyboard.press("Escape");
  await settled(page);
  const worker = await watch(page);
  for (const method of ["ranks", "host", "automatic"] as const) {
    await chooseMethod(page, method);
    const slider = page.getByRole("slider", { name: "Isovalue" });
    const expected = setting === "room" ? ranks + 1 : ranks;
    // A rank that came late takes part from the next surface on.
    const isMadeByAll = async () => {
      await slider.press("ArrowRight");
      await settled(page);
      return (await madeBy(page)).ranks === expected;
    };
    await until(isMadeByAll, `a surface of ${expected} ranks`, limitMs);
    await limited({ setting, ranks, method, size }, () =>
      measure(page, worker, { setting, ranks, method, size }),
    );
  }
}

/** Records why where a case fails or takes longer than the limit. */
async function limited(of: Pick<Row, "setting" | "ranks" | "method" | "size">, run: () => Promise<void>) {
  const late = pause(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`It took longer than ${limitMs / 1000} s.`);
  });
  const start = performance.now();
  try {
    await Promise.race([run(), late]);
  } catch (error) {
    await record({ ...of, problem: describeError(error) });
  }
  console.error(
    `${of.setting}, ${of.ranks} ranks, ${of.method}: ${Math.round(performance.now() - start)} ms`,
  );
}

function table(): string {
  const number = (value: number | undefined) => (value === undefined ? "" : value.toPrecision(3));
  const lines = rows.map(({ setting, ranks, method, drag, turn, differing, problem }) => {
    const cells = [drag?.picturesPerSecond, drag?.delayMedian, drag?.delay95, drag?.bytes];
    const turned = [turn?.picturesPerSecond, turn?.bytes, differing];
    return `| ${[setting, ranks, method, ...[...cells, ...turned].map(number), problem ?? ""].join(" | ")} |`;
  });
  const head =
    "| setting | ranks | drawn by | drag: 1/s | delay, ms | 95 % | bytes | turn: 1/s | bytes | differing | |";
  return [head, "| - | -: | - | -: | -: | -: | -: | -: | -: | -: | - |", ...lines].join("\n");
}

async function main(): Promise<number> {
  const { CHROMIUM, CHROMIUM_FLAGS = "", CHROMIUM_LIBS, ...env } = process.env;
  if (!CHROMIUM) throw new Error("Set CHROMIUM to a browser's path, or use npm run bench, which finds one.");
  if (CHROMIUM_LIBS) env.LD_LIBRARY_PATH = CHROMIUM_LIBS;
  await mkdir(values.out, { recursive: true });
  const root = join(dirname(fileURLToPath(import.meta.url)), "../web");
  const server = await serveBuilt(root);
  const args = CHROMIUM_FLAGS.split(/\s+/).filter(Boolean);
  const file = join(tmpdir(), `tangle-${process.pid}.nrrd`);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args,
    env: env as Record<string, string>,
  });
  try {
    if (setting === "group") await writeTangle(file, size);
    for (const ranks of counts) {
      const processes = new RankProcesses();
      let page: Page | undefined;
      const of = { setting: ranks === 0 ? ("alone" as const) : setting, ranks, size };
      const prepared = async () => {
        page = await openPage(browser, server.url);
        if (ranks > 0) return withRanks(page, ranks, processes, file);
        await openSample(page);
        await measure(page, await watch(page), { ...of, method: "alone" });
      };
      // Three methods and what precedes them.
      const failed = (error: unknown) =>
        record({ ...of, method: "alone", problem: `${describeError(error)} ${processes.said}` });
      await Promise.race([
        prepared(),
        pause(4 * limitMs, undefined, { ref: false }).then(() => {
          throw new Error("The ranks took too long.");
        }),
      ]).catch(failed);
      processes.end();
      await page?.close();
    }
  } finally {
    await browser.close();
    await server.close();
    await rm(file, { force: true });
  }
  console.log(table());
  return rows.every(({ problem }) => problem === undefined) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
