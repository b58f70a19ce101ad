import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { sharedData } from "./src/core/testing/shared-data.ts";
import { signallingPlugin } from "./src/node/signalling/vite-plugin.ts";
import { findBrowser } from "./tools/browser.mjs";

const browser = await findBrowser();

/**
 * Files whose tests share shaders, which take as long to compile as those of all other tests: the whole interface of primitives,
 * and what its parts are made of.
 */
const primitives = {
  interface: [
    "src/gpu/primitives/gpu-primitives/**/*.gpu.test.ts",
    "src/gpu/kd-tree/**/*.gpu.test.ts",
    "src/distributed/*.gpu.test.ts",
    "src/engine/ranks/kd-tree/*.gpu.test.ts",
  ],
  parts: [
    "src/gpu/primitives/!(sort|gpu-primitives)/**/*.gpu.test.ts",
    "src/gpu/surfaces/composed.gpu.test.ts",
  ],
};

/** Tests that start no process and leave nothing behind: files share their modules, which take longer to load than to test. */
const alone = [
  "src/{algorithms,bench,cluster,core,cpu,data,distributed,embed,engine,gpu,kernel,lang,ui,viewer}/**/*.test.{ts,tsx}",
  "{bench,tools}/**/*.test.{ts,mjs}",
];

/** Tests that fail where a machine is too busy: of how soon something is noticed, and who waited for whom. They run after the others, one by one. */
const clocks = [
  "src/engine/ranks/rank-reports.test.ts",
  "src/node/cancel.test.ts",
  "src/node/rank/lost-ranks.test.ts",
  "src/node/rtc/tabs.test.ts",
  "src/node/signalling/signalling.test.ts",
];

const unit: NonNullable<TestProjectInlineConfiguration["test"]> = {
  environment: "node",
  // All cores, not all but one: many tests wait for processes and timers.
  maxWorkers: availableParallelism(),
  // As generous as a busy machine needs: what ends is not to fail for its neighbours.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // What is built runs as it is.
  server: { deps: { external: [/\/dist\/node\//] } },
};

/** What works on a whole session, a picture or a program's own data. */
const sessions = ["src/{engine,embed,viewer}/**/*.gpu.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...unit,
          name: "unit (alone)",
          include: alone,
          exclude: ["**/*.gpu.test.ts", ...clocks],
          isolate: false,
        },
      },
      {
        test: {
          ...unit,
          name: "unit (with processes)",
          include: ["src/**/*.test.ts"],
          exclude: ["**/*.gpu.test.ts", ...alone, ...clocks],
        },
      },
      {
        test: {
          ...unit,
          name: "unit (by the clock)",
          include: clocks,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [signallingPlugin()],
        optimizeDeps: {
          // Native, and for Node alone.
          exclude: ["@napi-rs/canvas"],
          include: [
            "@lezer/common",
            "@lezer/highlight",
            "@lezer/lr",
            "d3-color",
            "d3-scale-chromatic",
            "fast-check",
            "fflate",
            "peerjs",
            "three/webgpu",
            "three/tsl",
            "webgpu-utils",
          ],
        },
        test: {
          name: "gpu",
          // Generous: a software adapter compiles for seconds, and for longer where the machine is busy.
          testTimeout: 180_000,
          // One page for all files of an instance: shaders that several of them use are compiled once.
          isolate: false,
          env: { CRINKLE_SWEEP: process.env.CRINKLE_SWEEP ?? "" },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: browser.executablePath, args: [...browser.flags] },
            }),
            // Two browsers a core of a small machine: a software adapter compiles on one core, and waits as often.
            instances: [
              { browser: "chromium", name: "gpu (primitives)", include: primitives.interface },
              { browser: "chromium", name: "gpu (their parts)", include: primitives.parts },
              {
                browser: "chromium",
                name: "gpu (sessions)",
                include: sessions,
                exclude: primitives.interface,
              },
              {
                browser: "chromium",
                name: "gpu (others)",
                include: ["{src,bench}/**/*.gpu.test.ts"],
                exclude: [...primitives.interface, ...primitives.parts, ...sessions],
              },
            ],
            // See src/gpu/testing/shared-data.ts.
            commands: {
              sharedData: async (_: unknown, name: string) =>
                Buffer.from((await sharedData(name)) ?? []).toString("base64"),
            },
          },
        },
      },
    ],
  },
});
