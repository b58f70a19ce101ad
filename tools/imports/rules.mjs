// The import table of the architecture: which folder of src/ may import which, and where packages may appear.

/**
 * Each folder, and the folders it may import besides itself. A folder that is no key here is refused.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const folders = {
  core: [],
  kernel: ["core"],
  cpu: ["core", "kernel"],
  data: ["core"],
  cluster: ["core"],
  gpu: ["core", "kernel"],
  algorithms: ["core", "kernel"],
  lang: ["core", "kernel", "gpu", "cpu", "algorithms"],
  distributed: ["core", "kernel", "cluster"],
  viewer: ["core", "gpu"],
  engine: ["core", "kernel", "cpu", "data", "cluster", "gpu", "algorithms", "lang", "distributed", "viewer"],
  embed: ["core", "cpu", "data", "cluster", "gpu", "algorithms", "lang"],
  bench: ["core", "cpu", "gpu", "algorithms", "lang"],
  ui: ["core"],
  node: ["core", "engine", "data", "cluster", "distributed", "embed"],
};

/**
 * Doors: what a folder may import from another beyond the table, as path prefixes below src/.
 * `typesOnly` admits nothing that is there at run time.
 * @type {Readonly<Record<string, readonly { path: string, typesOnly?: boolean }[]>>}
 */
export const doors = {
  embed: [{ path: "distributed/api.ts", typesOnly: true }],
  ui: [
    { path: "engine/api.ts", typesOnly: true },
    { path: "engine/client.ts" },
    { path: "engine/cluster/api.ts", typesOnly: true },
    { path: "engine/cluster/client.ts" },
    { path: "engine/colormaps.ts" },
    { path: "engine/layers/bar-titles.ts" },
    { path: "engine/layers/titles.ts" },
    { path: "engine/saved-view" },
    { path: "bench/api.ts", typesOnly: true },
    { path: "bench/case.ts", typesOnly: true },
    { path: "bench/client.ts" },
    { path: "bench/report.ts" },
    { path: "lang/expression/editor" },
    { path: "lang/expression/grammar" },
    { path: "lang/expression/syntax" },
    { path: "lang/expression/docs" },
  ],
};

/**
 * Layers inside a folder: each subfolder, and its neighbours it may import. Files beside the subfolders are free.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>}
 */
export const inside = {
  cluster: {
    wire: [],
    transport: ["wire"],
    communicator: ["wire", "transport"],
    membership: ["wire", "transport", "communicator"],
    room: ["wire", "transport", "communicator", "membership"],
    jobs: ["wire", "communicator"],
  },
  gpu: {
    device: [],
    shader: ["device"],
    compute: ["device", "shader"],
    fields: ["device", "shader", "compute"],
    primitives: ["device", "shader", "compute", "fields"],
    surfaces: ["device", "shader", "compute", "fields", "primitives"],
    "kd-tree": ["device", "shader", "compute", "fields", "primitives"],
    hypercube: ["device", "shader", "compute"],
    lattice: ["device", "shader", "compute"],
  },
  "lang/expression": {
    filters: ["syntax"],
    network: ["filters", "syntax"],
    plan: ["filters", "network", "syntax"],
    execute: ["filters", "network", "plan"],
  },
};

/**
 * Packages that have one home: the first row whose pattern matches the specifier decides.
 * `tests` says whether tests beside the sources are bound too.
 * @type {readonly { pattern: RegExp, what: string, homes: readonly string[], tests: boolean }[]}
 */
export const packages = [
  { pattern: /^three(\/|$)/, what: "three", homes: ["viewer"], tests: true },
  {
    pattern: /^(react|react-dom|@mantine\/\w+|zustand\/react)(\/|$)|^zustand$/,
    what: "React",
    homes: ["ui"],
    tests: true,
  },
  { pattern: /^peerjs(\/|$)/, what: "PeerJS", homes: ["cluster/transport/rtc"], tests: true },
  { pattern: /^webgpu$/, what: "Dawn (webgpu)", homes: ["node"], tests: true },
  { pattern: /^@napi-rs\/canvas$/, what: "Skia (@napi-rs/canvas)", homes: ["node"], tests: true },
  { pattern: /^node:/, what: "Node's library", homes: ["node", "cluster/transport/tcp"], tests: false },
];

/** Where programs start, as paths in the repository; whatever they do not reach is dead. */
export const entries = [
  "index.html",
  "src/embed/browser-cluster.ts",
  "src/embed/crinkle.ts",
  "src/embed/data.ts",
  "src/embed/primitives.ts",
  "src/embed/trees.ts",
  "src/node/cluster.ts",
  "src/node/cpu-worker.ts",
  "src/node/crinkle.ts",
  "src/node/library.ts",
  "src/node/ranks.ts",
  "src/node/serve.ts",
  "vite.config.ts",
  "vite.lib.config.ts",
  "vite.node.config.ts",
  "vitest.config.ts",
  "playwright.config.ts",
];

/** Where libraries start, which programs outside may import too. */
export const libraries = [
  "src/cluster/communicator/operators/locations.ts",
  "src/cpu/primitives/cpu-primitives.ts",
  "src/distributed/distributed-primitives.ts",
  "src/gpu/primitives/gpu-primitives/gpu-primitives.ts",
  "src/kernel/build.ts",
  "src/kernel/check.ts",
  "src/kernel/compile-js.ts",
  "src/kernel/emit/wgsl/program.ts",
  "src/kernel/emit/wgsl/wgsl.ts",
  "src/kernel/footprint.ts",
  "src/kernel/interpret/interpret.ts",
  "src/kernel/layout.ts",
  "src/kernel/simplify/simplify.ts",
  "src/kernel/text/parse.ts",
  "src/kernel/types.ts",
  "src/node/mpi/open-mpi.ts",
];

/** Generated modules: their exports are what the generator makes them. */
export const generated = ["src/lang/expression/grammar/parser.terms.ts"];
