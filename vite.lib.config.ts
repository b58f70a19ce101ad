import { defineConfig } from "vite";

/** Bundles what `import … from "crinkle"` gives, for browsers and for Node; Dawn stays a package of its own. */
export default defineConfig({
  publicDir: false,
  build: {
    lib: { entry: { crinkle: "src/embed/crinkle.ts", node: "src/node/library.ts" }, formats: ["es"] },
    target: "esnext",
    outDir: "dist/lib",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { external: ["webgpu"], output: { chunkFileNames: "[name].js" } },
  },
});
