import { commands } from "vitest/browser";

declare module "vitest/internal/browser" {
  interface BrowserCommands {
    /** Base64 of a file in ../shared/data; empty where it is missing. */
    sharedData(name: string): Promise<string>;
  }
}

/** As core's, for tests in the browser: the process that runs them reads the file. */
export async function sharedData(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const text = await commands.sharedData(name);
  return text === "" ? undefined : Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}
