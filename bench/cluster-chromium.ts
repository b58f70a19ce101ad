import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { PathMeasurement, TrafficOptions } from "./cluster/traffic.ts";
import { serveBuilt } from "./serve-built.ts";
import type { ClusterPage } from "./web/cluster.ts";

/** WebRTC is slower than the other transports: the same amount of data would take minutes. */
const shorter = (traffic: TrafficOptions): TrafficOptions => ({
  ...traffic,
  rounds: Math.min(traffic.rounds, 5),
  roundBytes: Math.min(traffic.roundBytes, 2 ** 26),
});

/**
 * Measures message ports and WebRTC in the browser that the variable CHROMIUM names: between workers and
 * between tabs.
 */
export async function measureChromium(
  executablePath: string,
  traffic: TrafficOptions,
): Promise<readonly PathMeasurement[]> {
  const root = join(dirname(fileURLToPath(import.meta.url)), "web");
  const server = await serveBuilt(root);
  const args = (process.env.CHROMIUM_FLAGS ?? "").split(/\s+/).filter(Boolean);
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext();
    const open = async () => {
      const page = await context.newPage();
      await page.goto(new URL("cluster.html", server.url).href);
      await page.waitForFunction(() => "clusterPage" in globalThis);
      return page;
    };
    const [first, second] = [await open(), await open()];
    const workers = await first.evaluate((given) => {
      const { clusterPage } = globalThis as unknown as { clusterPage: ClusterPage };
      return clusterPage.betweenWorkers("port, two workers of a tab", given);
    }, traffic);
    await second.evaluate(() => {
      (globalThis as unknown as { clusterPage: ClusterPage }).clusterPage.answer("bench");
    });
    const tabs = await first.evaluate((given) => {
      const { clusterPage } = globalThis as unknown as { clusterPage: ClusterPage };
      return clusterPage.betweenPages("bench", "port, two tabs", given);
    }, traffic);
    await second.evaluate(() => {
      const { clusterPage } = globalThis as unknown as { clusterPage: ClusterPage };
      return clusterPage.answerRtc("bench-answers");
    });
    const rtc = await first.evaluate((given) => {
      const { clusterPage } = globalThis as unknown as { clusterPage: ClusterPage };
      return clusterPage.overRtc("bench-answers", "rtc, two tabs", given);
    }, shorter(traffic));
    return [workers, tabs, rtc];
  } finally {
    await browser.close();
    await server.close();
  }
}
