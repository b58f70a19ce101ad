import { defineConfig } from "@playwright/test";
import { findBrowser } from "./tools/browser.mjs";

const browser = await findBrowser();
const port = Number(process.env.CRINKLE_E2E_PORT ?? 8569);
/** Chromium's own libraries, on machines that keep them apart from everybody else's. */
const libraries = process.env.CHROMIUM_LIBS;

const rooms = ["cluster.spec.ts"];
const ranks = ["ranks.spec.ts", "rank-drawing.spec.ts", "job-room.spec.ts"];

/**
 * End-to-end tests on the built page, as `npm start` gives it out. Two pages side by side: each waits for shaders that a
 * software adapter compiles on one core. What watches clocks runs alone: rooms, which notice who is late, and `perf` where its
 * figures are judged.
 */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  workers: 2,
  timeout: 120_000,
  // As generous as a busy machine needs; a test has its own limit.
  expect: { timeout: 60_000 },
  forbidOnly: !!process.env.CI,
  reporter: [
    ["list"],
    ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? "test-results/e2e.json" }],
  ],
  use: {
    baseURL: `http://localhost:${port}/`,
    trace: "off",
    launchOptions: {
      executablePath: browser.executablePath,
      args: [...browser.flags],
      ...(libraries ? { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> } : {}),
    },
  },
  projects: [
    // First: they take longest, and wait for each other as often as they compute.
    { name: "ranks", testMatch: ranks },
    { name: "pages", testIgnore: ["perf/**", ...rooms, ...ranks] },
    { name: "rooms", testMatch: rooms, workers: 1 },
    { name: "perf", testMatch: "perf/**/*.spec.ts", workers: 1 },
  ],
  webServer: {
    command: `node tools/start.mjs --port ${port}`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: !process.env.CI,
    stdout: "ignore",
    timeout: 120_000,
  },
});
