import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { signallingPlugin } from "./src/node/signalling/vite-plugin.ts";
import { bundledPackages } from "./tools/notices.mjs";
import { stripSummaries } from "./tools/strip-summaries.mjs";
import { stripWgslComments } from "./tools/strip-wgsl-comments.mjs";
import { structuredViewsOnly } from "./tools/structured-views-only.mjs";

const noted = bundledPackages(import.meta.dirname, "web");

/** Cross-origin isolation: shared memory and fine timers need it. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "credentialless",
};

/** What the engine needs for the first picture: as one file it is a fourth smaller than as thirty. */
const firstPicture =
  /src\/(data\/(assemble|failure|refusal|stored|bytes\/(?!base64)|text\/(?!ascii-array)|xml\/(?!poly-data))|engine\/(node-scalar|derived)|algorithms\/vectors|cpu\/primitives\/each-primitives|core\/point-set|lang\/expression\/(network\/network|syntax\/quoting)|viewer\/css-color|algorithms\/statistics\/(elements|statistics|host)|lang\/expression\/(plan\/(?!precision|rounding|resolve-reductions)|execute\/(gpu\/(?!run\.)|report|parts))|engine\/runs\/evaluation|gpu\/(compute\/(?!count)|device|fields|shader\/(?!wide))|gpu\/surfaces\/((?!mesh-buffers|color-values|create-extractor)[\w-]+\.ts|blocks|clip\/(?!weld|clip-)|isosurface\/([\w-]+\.ts|kernels))|gpu\/primitives\/(base\/(?!order|keys-differ)|each|field-values|with-primitives|gpu-primitives\/(blocks|each|each-primitives|eventual|index-check|kernels|chunks|session|sources|staging|submissions|call-sequencer|vector-io|vectors?)\.ts)|core\/(primitives\/(?!histogram|set-operations|checked\/(?!each|given|operands|vectors))|statistics|histogram|dtype|floor-f32|grid|field|format|errors|job))/;

/** The widgets and hooks of the first page: as one file they are smaller than as the ten that parts on demand would share. */
const widgets =
  /node_modules\/(react(-dom)?\/|scheduler\/|clsx\/|@floating-ui\/|@mantine\/core\/esm\/(core\/|components\/(Transition|UnstyledButton|Portal|CloseButton|Loader|Input|InputBase|NativeSelect|TextInput)\/)|@mantine\/hooks\/esm\/(use-(media-query|did-update|reduced-motion|merged-ref|id|isomorphic-effect)\/|utils\/random-id))/;

export default defineConfig({
  base: "./",
  plugins: [react(), signallingPlugin(), stripWgslComments(), structuredViewsOnly(), noted()],
  worker: {
    format: "es",
    plugins: () => [stripWgslComments(), stripSummaries(), structuredViewsOnly(), noted()],
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "first-picture", test: firstPicture }] } },
    },
  },
  // What is first imported long after the page was loaded would have the development server load it again.
  optimizeDeps: { include: ["fflate", "peerjs", "qrcode-generator"] },
  // Every browser with WebGPU has what the polyfill is for.
  build: {
    outDir: "dist/web",
    target: "esnext",
    reportCompressedSize: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "widgets", test: widgets }] } } },
  },
  server: { headers },
  preview: { headers },
});
