import { type Browser, chromium, type Page } from "playwright";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBrowser } from "../../../tools/browser.mjs";
import { check } from "../../cluster/testing/check.ts";
import { FramedLink } from "../../cluster/transport/framed-link.ts";
import { defaultLimits, type LinkEnd, type Message } from "../../cluster/transport/link.ts";
import type { RtcEndpoint } from "../../cluster/transport/rtc/endpoint.ts";
import { openRtc } from "../../cluster/transport/rtc/open.ts";
import { pageSignalling } from "../../cluster/transport/rtc/options.ts";
import type { Tab } from "../../cluster/transport/rtc/testing/tab.ts";
import { signallingPlugin } from "../signalling/vite-plugin.ts";
import { hostRoom } from "../testing/host-room.ts";
import { installRtc } from "./install-rtc.ts";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
};

declare const tab: Tab;

let vite: ViteDevServer;
let browser: Browser;
let url: string;
let endpoint: RtcEndpoint;
const pages: Page[] = [];
const fromVite: string[] = [];
const suspects: string[] = [];

beforeAll(async () => {
  vite = await createServer({
    configFile: false,
    cacheDir: "node_modules/.vite-tabs",
    logLevel: "error",
    plugins: [signallingPlugin()],
    optimizeDeps: { noDiscovery: true, include: ["peerjs"] },
    server: { host: "127.0.0.1", port: 0 },
    worker: { format: "es" },
  });
  await vite.listen();
  [url] = vite.resolvedUrls?.local ?? [];
  const { executablePath, flags } = await findBrowser();
  browser = await chromium.launch({ executablePath, args: [...flags] });
  for (const address of ["tabs-a", "tabs-b"]) {
    const page = await browser.newPage();
    page.on("websocket", (socket) => {
      if (!socket.url().includes("/peer/"))
        socket.on("framereceived", (f) => fromVite.push(String(f.payload)));
    });
    await page.goto(`${url}src/cluster/transport/rtc/testing/tab.html`);
    await page.waitForFunction(() => "tab" in window);
    expect(await page.evaluate((given) => tab.open(given), address)).toEqual({ kind: "open" });
    pages.push(page);
  }
  await installRtc();
  endpoint = await openRtc({
    address: "tabs-node",
    signalling: pageSignalling(url),
    onConnection: () => {},
    onSuspect: (address) => suspects.push(address),
  });
});

afterAll(async () => {
  endpoint?.close();
  await browser?.close();
  await vite?.close();
});

it("tabs' workers reach each other while Vite's hot reload runs", async () => {
  const measured = await pages[0].evaluate(() => tab.measure("tabs-b", 2 ** 20, 16));
  expect(measured).toMatchObject({ kind: "measured" });
  expect(fromVite).toContain('{"type":"connected"}');
});

it("every call works between tabs and Node", async () => {
  const { session, link } = await hostRoom(url, [check]);
  const joined = await Promise.all(pages.map((page) => page.evaluate((given) => tab.join(given), link)));
  expect(joined).toEqual([{ kind: "joined" }, { kind: "joined" }]);
  await until(() => session.communicator?.size === 3);
  const results = await session.run(check, { longBytes: 1_100_000 });
  expect(session.room.members.map(({ path }) => path)).toEqual(["", "rtc", "rtc"]);
  expect(results?.length).toBeGreaterThan(100);
  expect(results?.filter(({ passed }) => !passed)).toEqual([]);
  await session.room.leave();
});

it("Node reaches a tab's worker, and suspects it when the tab is closed", async () => {
  const { channel, binding } = await endpoint.dial("tabs-b");
  expect(binding.other.length).toBe(32);
  const link = new FramedLink(channel, defaultLimits, () => performance.now());
  const heard: Message[] = [];
  const ends: LinkEnd[] = [];
  link.start({ message: (message) => heard.push(message), ended: (end) => ends.push(end) });
  const body = Uint8Array.from({ length: 3_000_001 }, (_, i) => i * 31 + (i >> 8));
  await link.send({ stream: 1, head: new Uint8Array(3), body });
  await until(() => heard.length > 0);
  expect([heard[0].body.length, heard[0].body.every((byte, i) => byte === body[i])]).toEqual([
    body.length,
    true,
  ]);
  const from = performance.now();
  await pages[1].close();
  await until(() => suspects.length > 0);
  expect(performance.now() - from).toBeLessThan(1000);
  expect(suspects).toEqual(["tabs-b"]);
  link.close("it is gone");
});
