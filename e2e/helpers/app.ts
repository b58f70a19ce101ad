import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { FrameReport } from "../../src/engine/api.ts";
import type { AppState } from "../../src/ui/store/state.ts";

/** The page as a person or a script meets it: by the names of its controls. */
export class App {
  readonly page: Page;
  readonly openInput: Locator;
  readonly expression: Locator;
  readonly compute: Locator;
  readonly surfaceField: Locator;
  readonly colorBy: Locator;
  readonly isovalue: Locator;
  readonly savePicture: Locator;
  readonly exportMesh: Locator;
  readonly status: Locator;
  readonly alert: Locator;
  readonly picture: Locator;

  constructor(page: Page) {
    this.page = page;
    this.openInput = page.getByLabel("Open data set");
    this.expression = page.getByRole("textbox", { name: "Expression", exact: true });
    this.compute = page.getByRole("button", { name: "Compute", exact: true });
    this.surfaceField = page.getByRole("combobox", { name: "Surface field" });
    this.colorBy = page.getByRole("combobox", { name: "Colour by" });
    this.isovalue = page.getByRole("slider", { name: "Isovalue" });
    this.savePicture = page.getByRole("button", { name: "Save picture" });
    this.exportMesh = page.getByRole("button", { name: "Export mesh" });
    this.status = page.getByRole("status");
    this.alert = page.getByRole("alert");
    this.picture = page.locator("canvas").first();
  }

  /** Opens the page and waits for the sample's picture. */
  static async start(page: Page): Promise<App> {
    await page.goto("/");
    const app = new App(page);
    await expect(app.status).toContainText(/[1-9][\d,]* triangles/);
    await app.settled();
    return app;
  }

  /** Waits until no job runs and the last change has been drawn. */
  settled(): Promise<FrameReport> {
    return this.page.evaluate(() => window.crinkle.engine.settled());
  }

  /** The application's state: exact numbers, where the page shows rounded ones. */
  state(): Promise<AppState> {
    return this.page.evaluate(() => window.crinkle.store.getState());
  }

  /** The selected isosurface: its field, its first isovalue, and what was counted when it was drawn last. */
  async surface() {
    const { list, selected, facts } = (await this.state()).layers;
    const layer = list.find(({ id }) => id === selected);
    if (layer?.shape.kind !== "isosurface") return undefined;
    const { field, isovalues } = layer.shape;
    return { field, isovalue: isovalues[0], counts: facts[layer.id]?.counts };
  }

  /** The components of a field where the picture's middle shows something. */
  async probeMiddle(field: string): Promise<readonly number[]> {
    let found: readonly number[] | undefined;
    // The pointer's own questions may take a question's place.
    await expect
      .poll(async () => {
        found = await this.page.evaluate(async (name) => {
          const { clientWidth, clientHeight } = document.querySelector("canvas")!;
          const report = await window.crinkle.engine.probe(clientWidth >> 1, clientHeight >> 1);
          return report?.values.find((value) => value.name === name)?.values;
        }, field);
        return found;
      })
      .toBeDefined();
    return found!;
  }

  /** Opens a file through the input, and waits until it is there. */
  async open(path: string): Promise<void> {
    await this.openInput.setInputFiles(path);
    await this.loaded(basename(path));
  }

  /** Drops a file on the page, as from the desktop. */
  async drop(path: string): Promise<void> {
    const bytes = (await readFile(path)).toString("base64");
    const transfer = await this.page.evaluateHandle(
      async ({ bytes, name }) => {
        const response = await fetch(`data:application/octet-stream;base64,${bytes}`);
        const transfer = new DataTransfer();
        transfer.items.add(new File([await response.blob()], name));
        return transfer;
      },
      { bytes, name: basename(path) },
    );
    for (const type of ["dragenter", "dragover", "drop"]) {
      await this.page.dispatchEvent("body", type, { dataTransfer: transfer });
    }
    await this.loaded(basename(path));
  }

  /** Waits until a data set is there, with its first picture. */
  async loaded(name: string | RegExp): Promise<void> {
    await expect
      .poll(() =>
        this.page.evaluate(async () => {
          const { data, store } = window.crinkle;
          await data.opening();
          return store.getState().data.dataSet?.name ?? "";
        }),
      )
      .toMatch(name);
    await this.settled();
  }

  /** Replaces the text of the editor. */
  async type(text: string): Promise<void> {
    await this.expression.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.press("Delete");
    await this.page.keyboard.insertText(text);
  }

  /** Computes a text, and waits for its last result. */
  async computeText(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press("ControlOrMeta+Enter");
    await expect(this.status).toContainText(/Computed/);
    await this.settled();
  }

  /** Chooses an entry of a combobox by its name. */
  async choose(combobox: Locator, option: string): Promise<void> {
    const isNative = (await combobox.evaluate((element) => element.tagName)) === "SELECT";
    if (isNative) await combobox.selectOption({ label: option });
    else {
      await combobox.click();
      await this.page.getByRole("option", { name: option, exact: true }).click();
    }
    await this.settled();
  }

  /** Sets the isovalue to the digit, in the field beside the slider. */
  async setIsovalue(value: number): Promise<void> {
    const exact = this.page.getByRole("textbox", { name: "Exact value" });
    await exact.fill(String(value));
    await exact.press("Enter");
    await this.settled();
  }

  /** Presses a button that ends in a download, and gives its bytes and its name. */
  async download(press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
}
