import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { sharedData } from "./src/core/testing/shared-data.ts";
import { signallingPlugin } from "./src/node/signalling/vite-plugin.ts";
import { findBrowser } from "./tools/browser.mjs";

const browser = await findBrowser();

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["src/**/*.test.{ts,tsx}", "tools/**/*.test.{ts,mjs}", "bench/**/*.test.ts"],
          exclude: ["**/*.gpu.test.ts"],
        },
      },
      {
        plugins: [signallingPlugin()],
        optimizeDeps: {
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
          ],
        },
        test: {
          name: "gpu",
          include: ["src/**/*.gpu.test.ts"],
          testTimeout: 60_000,
          // One page for all files: shaders that several of them use are compiled once.
          isolate: false,
          env: { CRINKLE_SWEEP: process.env.CRINKLE_SWEEP ?? "" },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: browser.executablePath, args: [...browser.flags] },
            }),
            instances: [{ browser: "chromium" }],
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
