import { defineConfig } from "vite";
import { stripWgslComments } from "./tools/strip-wgsl-comments.mjs";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

/** Bundles the command line, the library in Node and what they load; what is optional and native stays a package of its own. */
export default defineConfig({
  publicDir: false,
  plugins: [stripWgslComments(), structuredViewsOnly()],
  ssr: { noExternal: true, external: ["webgpu", "node-datachannel", "koffi", "@napi-rs/canvas"] },
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/node",
    emptyOutDir: true,
    // As small as the page: it is half of the package.
    minify: "oxc",
    rolldownOptions: {
      input: {
        crinkle: "src/node/crinkle.ts",
        "cpu-worker": "src/node/cpu-worker.ts",
        library: "src/node/library.ts",
        ranks: "src/node/ranks.ts",
      },
      // Beside the program, as workers are looked for beside what starts them.
      output: { chunkFileNames: "[name]-[hash].js" },
    },
  },
});
