// Runs the bench in the browser that the variable CHROMIUM names, with the flags of CHROMIUM_FLAGS and, where it is
// set, the libraries of CHROMIUM_LIBS: `node dist/bench/chromium.js [filter] [--json] [--n N] [--quick] [--unsafe]`.
// Besides that it needs the built page beside it and the package playwright-core.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { BenchRow } from "../src/bench/case.ts";
import { describeError } from "../src/core/errors.ts";
import { serve } from "../src/node/serve.ts";
import { filesIn } from "../src/node/static/files.ts";
import { readOptions, uncheckedFeatures } from "./options.ts";
import { Printer } from "./printer.ts";

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { CHROMIUM, CHROMIUM_FLAGS = "", CHROMIUM_LIBS, ...env } = process.env;
  if (!CHROMIUM) throw new Error("Set CHROMIUM to a browser's path, or use npm run bench, which finds one.");
  if (CHROMIUM_LIBS) env.LD_LIBRARY_PATH = CHROMIUM_LIBS;
  const root = join(dirname(fileURLToPath(import.meta.url)), "web");
  const server = await serve({ page: filesIn(root), host: "localhost", port: 0, isPortFixed: true });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...CHROMIUM_FLAGS.split(/\s+/).filter(Boolean),
      ...(options.isUnsafe ? [`--enable-dawn-features=${uncheckedFeatures}`] : []),
    ],
    env: env as Record<string, string>,
  });
  try {
    const page = await browser.newPage();
    const printer = new Printer(options.isJson);
    const done = new Promise<string>((resolve) => {
      page.on("crash", () => resolve("The page crashed."));
      page.on("pageerror", (error) => resolve(error.message));
      void page.exposeFunction("benchEnd", resolve);
    });
    await page.exposeFunction("benchHead", (machine: string) =>
      printer.head(`${machine}, Chromium ${browser.version()}${options.isUnsafe ? ", unchecked" : ""}`),
    );
    await page.exposeFunction("benchRow", (row: BenchRow) => printer.row(row));
    await page.exposeFunction("benchFailure", (name: string, error: string) => printer.failure(name, error));
    await page.addInitScript((given) => {
      (globalThis as unknown as { benchOptions: unknown }).benchOptions = given;
    }, options);
    await page.goto(server.url);
    const error = await done;
    if (error) throw new Error(error);
    return printer.end();
  } finally {
    await browser.close();
    await server.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
