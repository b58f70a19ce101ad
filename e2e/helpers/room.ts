import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import type { ClusterState } from "../../src/ui/store/cluster-state.ts";

/** A page as a rank of a room: its panel, and what its rank reports. */
export class RoomPage {
  readonly page: Page;
  readonly panel: Locator;
  readonly asking: Locator;
  readonly ranks: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole("dialog", { name: "Cluster" });
    this.asking = page.getByRole("dialog", { name: /^Join the room/ });
    this.ranks = this.panel.getByRole("table", { name: "Ranks of the room" }).locator("tbody tr");
  }

  /** Opens a room by the button in the header. */
  static async share(page: Page, url = "/"): Promise<RoomPage> {
    await page.goto(url);
    const room = new RoomPage(page);
    await page.getByRole("button", { name: "Share" }).click();
    await expect(room.ranks).toHaveCount(1);
    return room;
  }

  /** Opens an invitation in a new tab and asks to join. */
  static async ask(context: BrowserContext, link: string, name: string): Promise<RoomPage> {
    const room = await RoomPage.open(context);
    await room.ask(link, name);
    return room;
  }

  static async open(context: BrowserContext): Promise<RoomPage> {
    return new RoomPage(await context.newPage());
  }

  async ask(link: string, name: string): Promise<void> {
    await this.page.goto(link);
    await this.asking.getByRole("textbox", { name: "Your name" }).fill(name);
    await this.asking.getByRole("button", { name: "Join", exact: true }).click();
  }

  link(): Promise<string> {
    return this.panel.getByRole("textbox", { name: "Invitation link" }).inputValue();
  }

  cluster(): Promise<ClusterState> {
    return this.page.evaluate(() => window.crinkle.store.getState().cluster);
  }

  /** The member with that name, once it has a rank. */
  async member(name: string) {
    const find = async () =>
      (await this.cluster()).rank?.members.find(
        ({ about, rank }) => about.name === name && rank !== undefined,
      );
    await expect.poll(find, { intervals: [50] }).toBeDefined();
    return (await find())!;
  }

  /** Resolves to the time of day in milliseconds when this page notices that nobody with that id is left. */
  gone(id: string): Promise<number> {
    return this.page.evaluate(
      (id) =>
        new Promise<number>((resolve) => {
          const { store } = window.crinkle;
          const look = () => {
            const { rank } = store.getState().cluster;
            if (!rank?.members.some((member) => member.id === id)) resolve(Date.now());
          };
          store.subscribe(look);
          look();
        }),
      id,
    );
  }
}
