// Builds the bench and the sweep into dist/bench, where they run without Vite: see docs/performance.md.
import { join } from "node:path";
import { build } from "vite";
import { root } from "./build.mjs";

export const out = join(root, "dist/bench");

export async function buildBench() {
  await build({
    configFile: false,
    root: join(root, "bench/web"),
    base: "./",
    logLevel: "warn",
    build: {
      outDir: join(out, "web"),
      emptyOutDir: true,
      target: "esnext",
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: ["index.html", "cluster.html"].map((page) => join(root, "bench/web", page)) },
    },
    worker: { format: "es" },
  });
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, external: ["webgpu", "playwright-core", "koffi"] },
    build: {
      ssr: true,
      target: "node20",
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: {
        // Beside the programs, as workers are looked for beside what starts them.
        output: { chunkFileNames: "[name]-[hash].js" },
        input: {
          node: "bench/node.ts",
          chromium: "bench/chromium.ts",
          cluster: "bench/cluster.ts",
          cpu: "bench/cpu.ts",
          "cpu-worker": "src/node/cpu-worker.ts",
          derived: "bench/derived.ts",
          drag: "bench/drag.ts",
          growth: "bench/growth.ts",
          living: "bench/living.ts",
          "layouts-figures": "bench/layouts-figures.ts",
          mpi: "bench/mpi.ts",
          "mpi-rank": "src/node/mpi/testing/check-rank.ts",
          ranks: "bench/ranks.ts",
          "ranks-figures": "bench/ranks-figures.ts",
          sweep: "bench/sweep.ts",
          expressions: "bench/expressions.ts",
        },
      },
    },
  });
}
