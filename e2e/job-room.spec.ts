import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type Launcher, launchers } from "../src/node/mpi/testing/launchers.ts";
import { RankProcess } from "../src/node/testing/rank-process.ts";
import { App } from "./helpers/app.ts";
import { seriousFaults } from "./helpers/axe.ts";
import { RoomPage } from "./helpers/room.ts";
import { vtiFile } from "./helpers/vti.ts";

test.describe.configure({ timeout: 120_000 });

const name = "waves.vti";
const file = vtiFile(
  name,
  [
    { name: "f", at: (x, y, z) => Math.sin(7 * x) * Math.cos(6 * y) + Math.sin(8 * z) },
    { name: "v", components: 3, at: (x, y, z) => [y * z, Math.sin(4 * x), x - z] },
  ],
  [17, 16, 19],
);

const text = "w = magnitude(curl(v))";

let folder: string;
let job: RankProcess | undefined;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-room-"));
  await writeFile(join(folder, name), file.buffer);
});

test.afterAll(() => rm(folder, { recursive: true }));

test.afterEach(() => {
  job?.signal("SIGKILL");
  job = undefined;
});

const started = (link: string, launcher?: Launcher): RankProcess => {
  const args = ["run", join(folder, name), "--room", link, "--device", "cpu"];
  if (!launcher) return new RankProcess([...args, "--ranks", "2"]);
  const { program, options } = launcher;
  return new RankProcess(args, {}, undefined, [program, ...options, "-n", "3"]);
};

/** A page that hosts a room whose requests are approved. */
async function hosting(app: App): Promise<RoomPage> {
  const host = new RoomPage(app.page);
  await app.page.getByRole("button", { name: "Share" }).click();
  await expect(host.ranks).toHaveCount(1);
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).setChecked(true);
  return host;
}

/** The selected isosurface: what of, and how large. */
async function shown(app: App) {
  await app.settled();
  const { field, isovalue, counts } = (await app.surface())!;
  return { field, isovalue, triangles: counts?.triangles ?? 0 };
}

/** The bytes of a field's file. */
const exported = (app: App, field: string): Promise<string> =>
  app.page.evaluate(async (field) => {
    const { blob } = await window.crinkle.engine.exportField(field, "npy");
    return [...new Uint8Array(await blob.arrayBuffer())].join();
  }, field);

/** The ranks that have made the first layer. */
async function makers(app: App): Promise<readonly number[]> {
  const { list, facts } = (await app.state()).layers;
  return facts[list[0]?.id]?.made?.ranks.map(({ rank }) => rank) ?? [];
}

// One way to start them is enough here: the next test has ranks of one machine, and what MPI does is tested over each library.
for (const [title, ranks, launcher] of [
  ...launchers.slice(0, 1).map((launcher) => [`${launcher.library}'s ranks`, 3, launcher] as const),
  ...(launchers.length === 0 ? [["ranks of one machine", 2, undefined] as const] : []),
] as const) {
  test(`a page opens the file of ${title}, and draws and computes by them alone`, async ({ page }) => {
    const app = await App.start(page);
    await app.openInput.setInputFiles(file);
    await app.loaded(name);
    const alone = await shown(app);
    const probed = await app.probeMiddle("v");
    const fileAlone = await exported(app, "v");
    const known = (await app.state()).data.dataSet?.fields.map(({ statistics }) => statistics);
    await app.computeText(text);
    const derivedAlone = await shown(app);
    expect(alone.triangles).toBeGreaterThan(100);
    expect(derivedAlone.triangles).toBeGreaterThan(100);

    const host = await hosting(app);
    job = started(await host.link(), launcher);
    const jobs = host.panel.getByRole("list", { name: "Data of jobs" });
    await expect(jobs).toContainText(`${name}, on ${ranks} ranks`);
    expect(await seriousFaults(page)).toEqual([]);
    await jobs.getByRole("button", { name: `Open ${name}` }).click();
    await expect(jobs.getByRole("button", { name: `Reopen ${name}` })).toBeVisible();
    await app.settled();
    await expect.poll(() => makers(app)).toEqual(Array.from({ length: ranks }, (_, rank) => rank));
    // The counts may come after the report of who has made it.
    await expect.poll(() => shown(app)).toEqual(alone);
    const { dataSet } = (await app.state()).data;
    for (const [k, { statistics }] of (dataSet?.fields ?? []).entries()) {
      const { mean, ...exact } = known?.[k] ?? statistics;
      expect(statistics).toMatchObject(exact);
      expect(statistics.mean).toBeCloseTo(mean, 9);
    }

    const near = probed.map((value) => expect.closeTo(value, 4));
    expect(await app.probeMiddle("v")).toEqual(near);
    expect(await exported(app, "v")).toBe(fileAlone);

    await page.keyboard.press("Escape");
    await app.computeText(text);
    await expect(app.status).toContainText(`on ${ranks} ranks`);
    // The ranks' surface arrives when the page's own work is done.
    const { field, triangles } = derivedAlone;
    await expect.poll(() => shown(app)).toMatchObject({ field, triangles });
    const derived = await shown(app);
    expect(await app.probeMiddle("w")).toHaveLength(1);
    const mesh = await app.download(() => app.exportMesh.click());
    expect(mesh.bytes.length).toBeGreaterThan(10_000);
    await app.choose(page.getByRole("combobox", { name: "Mesh format" }), "VTP, all fields");
    const whole = await app.download(() => app.exportMesh.click());
    const arrays = [...whole.bytes.toString("latin1").matchAll(/ Name="(\w+)"/g)].map(([, array]) => array);
    expect(arrays).toEqual(expect.arrayContaining(["f", "v", "w", "vtkOriginalCellIds"]));

    await expect(page.getByRole("button", { name: /^Strategy/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Inspect how it runs" }).click();
    const inspector = page.getByRole("dialog", { name: "How it runs" });
    await expect(
      inspector.getByText(`The values of “${name}” are on the ranks that read them`),
    ).toBeVisible();
    await expect(inspector.getByRole("group", { name: "Dataflow network" })).toBeVisible();
    await expect(inspector.getByRole("tab")).toHaveCount(0);
    await page.keyboard.press("Escape");

    job.signal("SIGINT");
    // Open MPI's mpirun says 1 of a job that was interrupted, however its ranks ended.
    expect(await job.ends()).toBe(launcher?.library === "Open MPI" ? 1 : 0);
    expect(job.err).toContain("Left the room.");
    await expect(
      app.alert.filter({ hasText: `The ranks that have “${name}” have left the room.` }),
    ).toBeVisible();
    expect(await shown(app)).toEqual(derived);

    // The same file for ranks of the room itself: one of them can read it, and this page cannot.
    await page.getByRole("button", { name: /^Share/ }).click();
    job = new RankProcess([
      ...["rank", await host.link(), "--data", folder, "--device", "cpu", "--name", "reader"],
    ]);
    await host.member("reader");
    const path = host.panel.getByRole("textbox", { name: "Address or path of a file for the ranks" });
    await path.fill(join(folder, "other.vti"));
    await host.panel.getByRole("button", { name: "Open on 2 ranks" }).click();
    await expect(app.alert.filter({ hasText: "No rank can read" })).toBeVisible();
    await path.fill(join(folder, name));
    await host.panel.getByRole("button", { name: "Open on 2 ranks" }).click();
    await expect.poll(() => makers(app)).toEqual([0, 1]);
    await expect.poll(() => shown(app)).toEqual(alone);
    expect(await exported(app, "v")).toBe(fileAlone);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await app.computeText("w = magnitude(curl(v)); m = max(f)");
    await expect(app.status).toContainText("on 2 ranks");
    await expect.poll(() => shown(app)).toMatchObject({ field, triangles });
    expect(await app.probeMiddle("w")).toHaveLength(1);
    const refusal = await page.evaluate(() =>
      window.crinkle.engine.run("w = f", { strategy: "auto" }).catch((error) => error.problem),
    );
    expect(refusal).toContain("are on the ranks that read them");
    job.signal("SIGINT");
    await job.ends();
    await expect(app.alert.filter({ hasText: "no other rank is there" })).toBeVisible();
  });
}

test("a page opens the room of ranks that wait for it, and gets its picture back after a reload", async ({
  page,
  baseURL,
}) => {
  job = started(baseURL!);
  await job.hears(/^http.*\n/);
  await page.goto(job.out.trim());
  const app = new App(page);
  await page
    .getByRole("dialog", { name: "Open the room of a job?" })
    .getByRole("button", { name: "Open the room" })
    .click();
  const host = new RoomPage(page);
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).setChecked(true);
  const jobs = host.panel.getByRole("list", { name: "Data of jobs" });
  await jobs.getByRole("button", { name: `Open ${name}` }).click();
  await expect.poll(() => makers(app)).toEqual([0, 1]);
  await page.keyboard.press("Escape");
  const slider = page.getByRole("slider", { name: /Isovalue/ });
  await slider.focus();
  for (let k = 0; k < 9; k++) await page.keyboard.press("ArrowRight");
  const moved = await shown(app);
  await expect.poll(async () => (await shown(app)).triangles).toBeGreaterThan(0);

  await page.reload();
  await job.hears(/Joining again as a new rank\./, 40_000);
  await expect(
    app.alert.filter({ hasText: `${name} is no longer open, because the page was reloaded` }),
  ).toBeVisible();
  await page
    .getByRole("dialog", { name: "Join the room again?" })
    .getByRole("button", { name: "Join again" })
    .click();
  await host.panel.getByRole("switch", { name: "Approve all with this link" }).setChecked(true);
  await jobs.getByRole("button", { name: `Open ${name}` }).click();
  await expect.poll(() => makers(app)).toEqual([0, 1]);
  expect(await shown(app)).toMatchObject({ field: moved.field, isovalue: moved.isovalue });
});
