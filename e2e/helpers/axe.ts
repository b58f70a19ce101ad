import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe calls serious or critical, as lines that name the rule and the element. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const results = await page.evaluate(async (source) => {
    const scope = globalThis as typeof globalThis & {
      axe?: { run(options: RunOptions): Promise<AxeResults> };
    };
    if (!scope.axe) new Function(source)();
    // Of what is right, no list is made, which takes longer than to look.
    return await scope.axe!.run({ resultTypes: ["violations"], selectors: false });
  }, axe);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
