import { defineConfig } from "vite";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

/** Bundles the command line and what it loads; what is optional and native stays a package of its own. */
export default defineConfig({
  publicDir: false,
  plugins: [structuredViewsOnly()],
  ssr: { noExternal: true, external: ["webgpu", "node-datachannel", "koffi", "@napi-rs/canvas"] },
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/node",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: {
        crinkle: "src/node/crinkle.ts",
        "cpu-worker": "src/node/cpu-worker.ts",
        ranks: "src/node/ranks.ts",
      },
      // Beside the program, as workers are looked for beside what starts them.
      output: { chunkFileNames: "[name]-[hash].js" },
    },
  },
});
