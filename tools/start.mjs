// `npm start`: builds what is out of date and serves the page; options as for `crinkle serve`.
import { ensureBuilt } from "./build.mjs";

try {
  await ensureBuilt("web", console.error);
  await ensureBuilt("node", console.error);
  const { main } = await import(new URL("../dist/node/crinkle.js", import.meta.url).href);
  const code = await main(["serve", ...process.argv.slice(2)]);
  if (code !== 0) process.exit(code);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
