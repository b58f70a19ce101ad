import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
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
        optimizeDeps: { include: ["fast-check", "webgpu-utils", "three/webgpu", "three/tsl"] },
        test: {
          name: "gpu",
          include: ["src/**/*.gpu.test.ts"],
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: browser.executablePath, args: [...browser.flags] },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
