import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { signallingPlugin } from "./src/node/signalling/vite-plugin.ts";

/** Cross-origin isolation: shared memory and fine timers need it. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "credentialless",
};

export default defineConfig({
  base: "./",
  plugins: [react(), signallingPlugin()],
  worker: { format: "es" },
  // What is first imported long after the page was loaded would have the development server load it again.
  optimizeDeps: { include: ["fflate", "peerjs", "qrcode-generator"] },
  build: { outDir: "dist/web", target: "esnext", reportCompressedSize: true },
  server: { headers },
  preview: { headers },
});
