import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { examplesIn } from "../src/embed/testing/examples.ts";
import { serve } from "../src/node/serve.ts";
import { signalling } from "../src/node/signalling/signalling.ts";
import { filesIn, filesInMemory } from "../src/node/static/files.ts";
import { ensureBuilt } from "../tools/build.mjs";

const examples = new Map(
  ["communicator", "embedding"].flatMap((page) => [...examplesIn(readFileSync(`docs/${page}.md`, "utf8"))]),
);

test.beforeAll(() => ensureBuilt("lib", console.info));

/** A site of its own: the pages of the documentation, and the library's folder beside them. */
test.beforeEach(async ({ context }) => {
  await context.route("**/embedding/**", async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/embedding/", "");
    const text = examples.get(path) ?? readFileSync(`dist/${path}`, "utf8");
    const contentType = path.endsWith(".js") ? "text/javascript" : "text/html";
    await route.fulfill({ contentType, body: text });
  });
});

test("a plain page derives a field from its arrays", async ({ page }) => {
  await page.goto("/embedding/page.html");
  await expect(page.locator("#answer")).toHaveText("at most 1.241, on the gpu");
});

test("a page's simulation is contoured each step, on its own device", async ({ page }) => {
  await page.goto("/embedding/in-situ.html");
  await expect(page.locator("#answer")).toHaveText(/^\d+ < \d+ < \d+ triangles$/);
  const counts = (await page.locator("#answer").textContent())!.match(/\d+/g)!.map(Number);
  expect(counts[0]).toBeGreaterThan(100);
  expect(counts[2]).toBeGreaterThan(counts[1]);
  expect(counts[1]).toBeGreaterThan(counts[0]);
});

test("two tabs meet in a room and add their numbers", async ({ page, context }) => {
  // A server of its own: pages that the test itself answers for may not open sockets to this machine.
  const room = new Map([["room.html", Buffer.from(examples.get("room.html") ?? "")]]);
  const [example, library] = [filesInMemory(room, "room"), filesIn("dist")];
  const server = await serve({
    page: async (url) => (await example(url)) ?? library(url),
    host: "localhost",
    port: 0,
    isPortFixed: true,
    signalling: signalling(),
  });
  try {
    await page.goto(`${server.url}room.html`);
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Open the other one" }).click();
    const other = await opened;
    for (const tab of [page, other]) await expect(tab.locator("#answer")).toHaveText("3 on 2 ranks");
  } finally {
    await server.close();
  }
});
