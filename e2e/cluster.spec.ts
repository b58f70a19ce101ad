import { type BrowserContext, expect, test } from "@playwright/test";
import { RankProcess } from "../src/node/testing/rank-process.ts";
import { seriousFaults } from "./helpers/axe.ts";
import { PlainTab } from "./helpers/plain-tab.ts";
import { RoomPage } from "./helpers/room.ts";

test.describe.configure({ mode: "serial", timeout: 60_000 });

// Ranks without GPUs: these tests are about how ranks find, inform and lose each other.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: ["--no-sandbox", "--disable-gpu", "--disable-blink-features=WebGPU"],
    });
  },
});

let near: BrowserContext;
let far: BrowserContext;
let host: RoomPage;
let link: string;
const processes: RankProcess[] = [];
const detected: string[] = [];

/** Milliseconds from now until all of these have noticed that somebody is gone. */
async function detection(
  what: string,
  id: string,
  witnesses: readonly RoomPage[],
  end: () => Promise<unknown>,
): Promise<number> {
  const learned = witnesses.map((witness) => witness.gone(id));
  const start = Date.now();
  await end();
  const ms = Math.max(...(await Promise.all(learned))) - start;
  detected.push(`${what}: ${ms} ms`);
  return ms;
}

test.beforeAll(async ({ browser }) => {
  near = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  far = await browser.newContext();
  host = await RoomPage.share(await near.newPage());
  link = await host.link();
});

test.afterAll(async () => {
  for (const rank of processes) {
    rank.signal("SIGCONT");
    rank.signal("SIGKILL");
  }
  console.info(detected.join("\n"));
  await near.close();
  await far.close();
});

test("a tab of the browser is admitted, one more rank is added, and the links are measured", async () => {
  const { panel, page } = host;
  await panel.getByRole("button", { name: "Copy link" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  expect(link).toMatch(/^http:\/\/localhost:\d+\/#room=[\w-]{22}$/);
  await expect(panel.getByRole("img", { name: /^QR code/ })).toBeVisible();
  await expect(panel.getByText(/network address/)).toBeVisible();
  await expect(panel.getByText(/localhost, so it only works on this machine/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();

  const ada = await RoomPage.ask(near, link, "Ada");
  await expect(ada.asking.getByRole("status")).toContainText("Waiting for the host");
  const alert = page.getByRole("alert").filter({ hasText: "Ada asks to join" });
  await expect(alert).toBeVisible();
  await expect(page.getByRole("status")).toContainText("Ada asks to join.");
  await alert.getByRole("button", { name: "Admit Ada" }).click();
  await expect(ada.ranks).toHaveCount(2);
  expect(new URL(ada.page.url()).hash).toBe("");

  await page.getByRole("button", { name: "Share: 2 ranks" }).click();
  await expect(host.ranks.nth(1)).toContainText(/1\s*Ada.*same browser/s);
  await expect(host.ranks.nth(0)).toContainText("this page");
  await expect(ada.ranks.nth(0)).toContainText(/host.*same browser/s);

  await panel.getByRole("button", { name: "Add a rank here" }).focus();
  await page.keyboard.press("Enter");
  await expect(host.ranks).toHaveCount(3);
  await expect(host.ranks.nth(2)).toContainText(/A worker of this page.*same browser/s);
  await expect(panel.getByRole("status")).toContainText(/joined as rank 2\. Epoch 3, 3 ranks\./);

  await panel.getByRole("button", { name: "Measure links" }).click();
  const rows = panel.getByRole("table", { name: "Links as measured" }).locator("tbody tr");
  await expect(rows).toHaveCount(3);
  for (const text of await rows.allInnerTexts()) {
    expect(Number(/same browser\s+(\d+(\.\d+)?)/.exec(text)?.[1]), text).toBeGreaterThan(10);
  }
  detected.push(`links of this browser: ${(await rows.allInnerTexts()).join("; ").replaceAll(/\s+/g, " ")}`);
  await panel.getByRole("button", { name: "Copy as table" }).click();
  const table = await page.evaluate(() => navigator.clipboard.readText());
  expect(table.split("\n").filter((line) => / same browser \| \d/.test(line))).toHaveLength(3);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousFaults(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 780 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  for (const control of ["Copy link", "Add a rank here", "Leave", "Remove Ada", "Measure links"]) {
    const box = await panel.getByRole("button", { name: control }).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390, control).toBe(true);
  }
  expect(await seriousFaults(page), "390 px").toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });

  const { id } = await host.member("Ada");
  expect(
    await detection("Leave, same browser", id, [host], () =>
      ada.panel.getByRole("button", { name: "Leave" }).click(),
    ),
  ).toBeLessThan(1000);
  await expect(host.ranks).toHaveCount(2);
  await expect(ada.panel).toBeHidden();
  await ada.page.close();
});

test("another browser joins over WebRTC without asking, because it holds the link", async () => {
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).click();
  const grace = await RoomPage.ask(far, link, "Grace");
  await expect(grace.ranks).toHaveCount(3);
  await expect(host.ranks.nth(2)).toContainText(/Grace.*WebRTC/s);
  await expect(host.ranks.nth(2)).toContainText(/\d\s(ms|µs)/);
  await expect(grace.ranks.nth(1)).toContainText("WebRTC");

  const { id } = await host.member("Grace");
  expect(await detection("page.close(), WebRTC", id, [host], () => grace.page.close())).toBeLessThan(1000);
  const note = "Grace was lost; the 2 ranks that are left compute its part, too.";
  await expect(host.panel.getByText(note)).toBeVisible();
});

test("crashed renderers are missed within a second", async () => {
  const here = await RoomPage.ask(near, link, "Here");
  const there = await RoomPage.ask(far, link, "There");
  await expect(there.ranks).toHaveCount(4);
  await expect(here.ranks).toHaveCount(4);
  await expect(host.panel.getByText("Grace was lost")).toBeHidden();
  for (const [what, victim, name, witnesses] of [
    ["crash, same browser", here, "Here", [host, there]],
    ["crash, WebRTC", there, "There", [host]],
  ] as const) {
    const { id } = await host.member(name);
    const crash = () => victim.page.goto("chrome://crash").catch(() => {});
    expect(await detection(what, id, witnesses, crash), what).toBeLessThan(1000);
    await victim.page.close();
  }
});

test("a rank that was removed reads so, may come back, and is missed at once when its tab is closed", async () => {
  const tab = await RoomPage.ask(near, link, "Tab");
  await expect(tab.ranks).toHaveCount(3);
  await host.panel.getByRole("button", { name: "Remove Tab" }).click();
  await expect(tab.asking.getByRole("alert")).toContainText("host removed this rank");
  await expect(host.panel.getByText("Tab was lost")).toBeHidden();
  await tab.asking.getByRole("button", { name: "Join again" }).click();
  await expect(tab.ranks).toHaveCount(3);
  const { id } = await host.member("Tab");
  expect(await detection("page.close(), same browser", id, [host], () => tab.page.close())).toBeLessThan(
    1000,
  );
});

test("Node ranks and tabs are missed when stopped, frozen or killed, and come back; a busy page is not", async ({
  browser,
}) => {
  const busy = await RoomPage.ask(far, link, "Busy");
  const page = await host.member("Busy");
  const rank = new RankProcess(["rank", link, "--name", "node"]);
  processes.push(rank);
  const { id } = await host.member("node");
  await expect(host.ranks.filter({ hasText: "node" })).toContainText("WebRTC");
  const blocked = busy.page.evaluate(() => {
    const until = performance.now() + 6500;
    while (performance.now() < until);
  });
  const sleeper = await PlainTab.open(browser, link);
  await sleeper.until("window.crinkle?.store.getState().cluster.invitation");
  await sleeper.until("!crinkle.cluster.accept('Sleeper')");
  const tab = await host.member("Sleeper");
  const both = await Promise.all([
    detection("SIGSTOP, Node over WebRTC", id, [host], async () => rank.signal("SIGSTOP")),
    detection("frozen tab, WebRTC", tab.id, [host], () => sleeper.freeze()),
  ]);
  expect(Math.max(...both)).toBeLessThan(6000);
  await sleeper.wake();
  expect((await host.member("Sleeper")).id).not.toBe(tab.id);
  expect(await sleeper.until("document.visibilityState")).toBe("hidden");
  await sleeper.close();
  rank.signal("SIGCONT");
  const again = await host.member("node");
  expect(again.id).not.toBe(id);
  const kill = async () => rank.signal("SIGKILL");
  expect(await detection("SIGKILL, Node over WebRTC", again.id, [host], kill)).toBeLessThan(1000);
  await blocked;
  expect((await host.member("Busy")).id).toBe(page.id);
  await busy.page.close();
});

test("the host refuses, and a link with a different key finds nobody", async () => {
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).click();
  const mallory = await RoomPage.ask(far, link, "Mallory");
  await host.panel.getByRole("button", { name: "Refuse Mallory" }).click();
  await expect(mallory.asking.getByRole("alert")).toContainText("The host declined this rank.");
  await mallory.asking.getByRole("button", { name: "Not now" }).click();
  await expect(mallory.asking).toBeHidden();
  await mallory.page.goto(link.replace(/room=.{4}/, "room=AAAA"));
  await mallory.asking.getByRole("button", { name: "Join", exact: true }).click();
  await expect(mallory.asking.getByRole("alert")).toContainText("Nobody answers in this room.");
  await mallory.page.close();
});

test("a host that reloads finds its room kept by the others", async () => {
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).click();
  const heir = await RoomPage.ask(far, link, "Heir");
  await expect(heir.ranks).toHaveCount(3);
  await host.page.reload();
  await expect(heir.panel.getByText("This page hosts the room: 1 rank")).toBeVisible();
  await host.asking.getByRole("button", { name: "Join again" }).click();
  await heir.panel.getByRole("button", { name: /^Admit/ }).click();
  await expect(host.ranks).toHaveCount(2);
  await expect(host.ranks.nth(0)).toContainText(/Heir.*host/s);
});

test("links stay up while the signalling server is away, and it is used again once it is back", async () => {
  const serve = async (port: string) => {
    const server = new RankProcess(["serve", "--port", port]);
    processes.push(server);
    await server.hears(/Crinkle is at \S+/);
    return { server, url: /http\S+/.exec(server.out)![0] };
  };
  const first = await serve("0");
  const opener = await RoomPage.share(await near.newPage(), first.url);
  await opener.panel.getByRole("switch", { name: "Approve all with this link" }).click();
  const invitation = await opener.link();
  const guest = await RoomPage.ask(far, invitation, "Guest");
  await expect(guest.ranks).toHaveCount(2);
  first.server.signal("SIGKILL");
  await expect(opener.panel.getByRole("listitem")).toContainText("unreachable: existing links stay up");
  await opener.panel.getByRole("button", { name: "Measure links" }).click();
  await expect(opener.panel.getByRole("table", { name: "Links as measured" })).toContainText("WebRTC");
  await serve(new URL(first.url).port);
  await expect(opener.panel.getByRole("status")).toContainText("The signalling server is reachable again.");
  const late = await RoomPage.open(far);
  let isAway = true;
  await late.page.routeWebSocket(/\/peer\//, (socket) => {
    if (isAway) void socket.close();
    else socket.connectToServer();
  });
  await late.ask(invitation, "Late");
  await expect(late.asking.getByRole("status")).toContainText("unreachable. It is retried");
  isAway = false;
  await expect(late.ranks).toHaveCount(3);
});

test("four tabs and two Node ranks agree on who is left, whatever happens to whom", async () => {
  const first = await RoomPage.share(await near.newPage());
  await first.panel.getByRole("switch", { name: "Approve all with this link" }).click();
  const invitation = await first.link();
  const second = await RoomPage.ask(near, invitation, "Second");
  const third = await RoomPage.ask(far, invitation, "Third");
  const fourth = await RoomPage.ask(far, invitation, "Fourth");
  const nodes = ["node A", "node B"].map((name) => new RankProcess(["rank", invitation, "--name", name]));
  processes.push(...nodes);
  const tabs = [first, second, third, fourth];
  for (const tab of tabs) await expect(tab.ranks).toHaveCount(6);
  await first.panel.getByRole("button", { name: "Measure links" }).click();
  const measured = first.panel.getByRole("table", { name: "Links as measured" }).locator("tbody tr");
  await expect(measured).toHaveCount(15);
  expect(await measured.filter({ hasText: "TCP" }).count()).toBe(1);

  const [gone, killed] = [await first.member("Fourth"), await first.member("node B")];
  const left = [first, second, third];
  const both = async () => {
    nodes[1].signal("SIGKILL");
    await fourth.page.close();
  };
  expect(await detection("page.close() of six", gone.id, left, both)).toBeLessThan(1500);
  await Promise.all(left.map((tab) => tab.gone(killed.id)));
  await nodes[0].hears(/rank \d of 4\./);
  const seen = await Promise.all(left.map((tab) => tab.cluster()));
  const membersOf = ({ rank }: (typeof seen)[number]) =>
    rank?.members.map(({ id, rank }) => `${rank} ${id}`).toSorted();
  for (const state of seen) expect(membersOf(state)).toEqual(membersOf(seen[0]));
  expect(membersOf(seen[0])).toHaveLength(4);

  const { id } = await first.member("node A");
  const frozen = async () => nodes[0].signal("SIGSTOP");
  expect(await detection("SIGSTOP of four", id, left, frozen)).toBeLessThan(6000);
  for (const tab of left) await expect(tab.ranks).toHaveCount(3);
});
