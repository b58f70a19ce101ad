import { defineConfig, minifySync, type Plugin } from "vite";
import { bundledPackages } from "./tools/notices.mjs";
import { stripWgslComments } from "./tools/strip-wgsl-comments.mjs";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

const noted = bundledPackages(import.meta.dirname, "node");

/**
 * Takes the white space from chunks that are others' code for the most part. Our own keeps its lines: Node shows the one that an error comes from, and
 * without them that is the whole file.
 */
const foreignWithoutSpace: Plugin = {
  name: "foreign-without-space",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      const modules = Object.entries(file.modules);
      const sum = (some: typeof modules) =>
        some.reduce((bytes, [, { renderedLength }]) => bytes + renderedLength, 0);
      const foreign = modules.filter(([id]) => id.includes("node_modules"));
      if (2 * sum(foreign) <= sum(modules)) continue;
      file.code = minifySync(file.fileName, file.code, { module: true, compress: false, mangle: false }).code;
    }
  },
};

/** Bundles the command line, the library in Node and what they load; what is optional and native stays a package of its own. */
export default defineConfig({
  publicDir: false,
  plugins: [stripWgslComments(), structuredViewsOnly(), foreignWithoutSpace, noted()],
  ssr: { noExternal: true, external: ["webgpu", "node-datachannel", "koffi", "@napi-rs/canvas"] },
  build: {
    ssr: true,
    target: "node20",
    outDir: "dist/node",
    emptyOutDir: true,
    minify: "oxc",
    rolldownOptions: {
      input: {
        crinkle: "src/node/crinkle.ts",
        "cpu-worker": "src/node/cpu-worker.ts",
        cluster: "src/node/cluster.ts",
        data: "src/embed/data.ts",
        library: "src/node/library.ts",
        primitives: "src/embed/primitives.ts",
        ranks: "src/node/ranks.ts",
        trees: "src/embed/trees.ts",
      },
      // Beside the program, as workers are looked for beside what starts them.
      output: {
        minify: { compress: true, mangle: true, codegen: false },
        chunkFileNames: "[name]-[hash].js",
      },
    },
  },
});
