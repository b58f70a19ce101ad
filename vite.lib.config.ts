import { defineConfig, type Plugin } from "vite";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

const workerPlace =
  /new URL\(\s*\/\* @vite-ignore \*\/\s*new URL\("(assets\/[^"]+)", import\.meta\.url\)\.href,\s*"" \+ import\.meta\.url\s*\)/g;

/** Writes the places of workers so that the bundlers of others find them, and take their files along. */
const findableWorkers: Plugin = {
  name: "findable-workers",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk")
        file.code = file.code.replace(workerPlace, 'new URL("./$1", import.meta.url)');
    }
  },
};

/** Bundles what `import … from "crinkle"` gives, for browsers and for Node; Dawn stays a package of its own. */
export default defineConfig({
  publicDir: false,
  base: "./",
  plugins: [findableWorkers, structuredViewsOnly()],
  worker: {
    format: "es",
    plugins: () => [structuredViewsOnly()],
    rolldownOptions: { output: { entryFileNames: "assets/[name].js" } },
  },
  build: {
    lib: {
      entry: {
        crinkle: "src/embed/crinkle.ts",
        node: "src/node/library.ts",
        "cpu-worker": "src/node/cpu-worker.ts",
      },
      formats: ["es"],
    },
    target: "esnext",
    outDir: "dist/lib",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { external: ["webgpu", /^node:/], output: { chunkFileNames: "[name].js" } },
  },
});
