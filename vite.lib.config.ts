import { defineConfig, type Plugin } from "vite";
import { bundledPackages } from "./tools/notices.mjs";
import { stripWgslComments } from "./tools/strip-wgsl-comments.mjs";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

const noted = bundledPackages(import.meta.dirname, "lib");

const workerPlace =
  /new URL\(\s*(?:\/\* @vite-ignore \*\/\s*)?new URL\(["`](assets\/[^"`]+)["`],\s*import\.meta\.url\)\.href,\s*["`]{2}\s*\+\s*import\.meta\.url\s*\)/g;

/** Writes the places of workers so that the bundlers of others find them, and take their files along. */
const findableWorkers: Plugin = {
  name: "findable-workers",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk")
        file.code = file.code.replace(workerPlace, 'new URL("./$1", import.meta.url)');
      if (file.type === "chunk" && /(?<!\.\/)assets\/[\w-]+\.js/.test(file.code))
        this.error(`${file.fileName} names a worker in another way than vite.lib.config.ts expects.`);
    }
  },
};

/** Bundles what `import … from "crinkle"` gives in browsers; in Node it is bundled with the command line. */
export default defineConfig({
  publicDir: false,
  base: "./",
  plugins: [findableWorkers, stripWgslComments(), structuredViewsOnly(), noted()],
  worker: {
    format: "es",
    plugins: () => [stripWgslComments(), structuredViewsOnly(), noted()],
    rolldownOptions: { output: { entryFileNames: "assets/[name].js" } },
  },
  build: {
    lib: {
      entry: {
        cluster: "src/embed/browser-cluster.ts",
        crinkle: "src/embed/crinkle.ts",
        data: "src/embed/data.ts",
        primitives: "src/embed/primitives.ts",
        trees: "src/embed/trees.ts",
      },
      formats: ["es"],
    },
    target: "esnext",
    outDir: "dist/lib",
    emptyOutDir: true,
    minify: "oxc",
    // Vite leaves the white space of libraries, and with it notes for bundlers that say what has no effect.
    rolldownOptions: { output: { minify: true, chunkFileNames: "[name].js" } },
  },
});
