import type { Browser, CDPSession } from "@playwright/test";

/**
 * A tab as nobody's: those of Playwright count as seen and in focus, so that no browser hides or freezes them. It is in a
 * context of its own.
 */
export class PlainTab {
  readonly #session: CDPSession;
  readonly #target: string;
  readonly #attached: string;
  #sent = 0;

  private constructor(session: CDPSession, target: string, attached: string) {
    this.#session = session;
    this.#target = target;
    this.#attached = attached;
  }

  static async open(browser: Browser, url: string): Promise<PlainTab> {
    const session = await browser.newBrowserCDPSession();
    const { browserContextId } = await session.send("Target.createBrowserContext");
    const { targetId } = await session.send("Target.createTarget", { url, browserContextId });
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    return new PlainTab(session, targetId, sessionId);
  }

  /** The value of an expression in the page, once it is truthy. */
  async until<Value>(expression: string): Promise<Value> {
    for (;;) {
      const { result } = await this.#send("Runtime.evaluate", { expression, returnByValue: true });
      if (result?.value) return result.value as Value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** As a browser does with a tab that is hidden for long. */
  async freeze(): Promise<void> {
    await this.#send("Page.setWebLifecycleState", { state: "frozen" });
  }

  /** It goes on, and stays hidden. */
  async wake(): Promise<void> {
    await this.#send("Page.setWebLifecycleState", { state: "active" });
  }

  async close(): Promise<void> {
    await this.#session.send("Target.closeTarget", { targetId: this.#target });
    await this.#session.detach();
  }

  #send(method: string, params: object): Promise<{ readonly result?: { readonly value?: unknown } }> {
    const id = ++this.#sent;
    return new Promise((resolve) => {
      const take = ({ sessionId, message }: { readonly sessionId: string; readonly message: string }) => {
        const answer = JSON.parse(message);
        if (sessionId !== this.#attached || answer.id !== id) return;
        this.#session.off("Target.receivedMessageFromTarget", take);
        resolve(answer.result ?? {});
      };
      this.#session.on("Target.receivedMessageFromTarget", take);
      void this.#session.send("Target.sendMessageToTarget", {
        sessionId: this.#attached,
        message: JSON.stringify({ id, method, params }),
      });
    });
  }
}
