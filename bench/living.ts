// Runs a lattice in the built page as a person does, with its charts, and measures what they get:
//
//   npm run bench -- living [--size 4096x4096] [--model ising] [--sweeps 100] [--seconds 10] [--out FOLDER] [--json]
//
// Prints a table, or JSON, and writes living.json and a picture of the page into the folder. Besides the built page it needs playwright-core.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { install } from "../e2e/perf/instruments.ts";
import { describeError } from "../src/core/errors.ts";
import type { AppState } from "../src/ui/store/state.ts";
import { openLattice, watchLattice } from "./living/drive.ts";
import { livingFigures } from "./living/figures.ts";
import { serveBuilt } from "./serve-built.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "4096x4096" },
    model: { type: "string", default: "ising" },
    sweeps: { type: "string", default: "100" },
    seconds: { type: "string", default: "10" },
    out: { type: "string", default: "dist/bench/living" },
    json: { type: "boolean", default: false },
  },
});

/** What the driver says that the first card's memory is in use for, in MiB; undefined where there is no such driver. */
function cardMiB(): number | undefined {
  const asked = ["--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"];
  const { status, stdout } = spawnSync("nvidia-smi", asked, { encoding: "utf8" });
  const used = Number.parseFloat(stdout ?? "");
  return status === 0 && Number.isFinite(used) ? used : undefined;
}

async function main(): Promise<void> {
  const { CHROMIUM, CHROMIUM_FLAGS = "", CHROMIUM_LIBS, ...env } = process.env;
  if (!CHROMIUM) throw new Error("Set CHROMIUM to a browser's path, or use npm run bench, which finds one.");
  if (CHROMIUM_LIBS) env.LD_LIBRARY_PATH = CHROMIUM_LIBS;
  const sites = values.size.split("x").reduce((product, length) => product * Number(length), 1);
  await mkdir(values.out, { recursive: true });
  const server = await serveBuilt(join(dirname(fileURLToPath(import.meta.url)), "../web"));
  const before = cardMiB();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS.split(/\s+/).filter(Boolean),
    env: env as Record<string, string>,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await install(page);
    await page.goto(server.url);
    await openLattice(page, {
      model: values.model,
      size: values.size,
      sweepsPerPicture: Number(values.sweeps),
    });
    const watched = await watchLattice(page, Number(values.seconds));
    const description = await page.evaluate(
      () =>
        (globalThis as unknown as { crinkle: { store: { getState(): AppState } } }).crinkle.store.getState()
          .device.summary?.description,
    );
    const used = cardMiB();
    const figures = [
      ...livingFigures(watched, sites),
      ...(before !== undefined && used !== undefined
        ? [{ name: "memory of the card that the browser takes", value: used - before, unit: "MiB" }]
        : []),
    ];
    const of = {
      device: `${description}, Chromium ${browser.version()}`,
      model: values.model,
      size: values.size,
      sweepsPerPicture: Number(values.sweeps),
      seconds: watched.seconds,
    };
    const json = JSON.stringify({ ...of, figures }, undefined, 1);
    await writeFile(join(values.out, "living.json"), `${json}\n`);
    await page.screenshot({ path: join(values.out, "living.png") });
    if (values.json) console.log(json);
    else {
      const rows = figures.map(
        ({ name, value, unit }) => `| ${name} | ${Number(value.toPrecision(4))} ${unit} |`,
      );
      const what = `${of.model}, ${of.size}, ${of.sweepsPerPicture} sweeps a picture`;
      console.log([of.device, "", `| ${what} | |`, "| - | -: |", ...rows].join("\n"));
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
