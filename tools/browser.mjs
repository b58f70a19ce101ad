// Finds the Chromium-family browser that tests and benches drive, installing one where there is none.
import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { chromium } from "playwright";

/**
 * @typedef {object} Browser
 * @property {string} executablePath
 * @property {readonly string[]} flags command-line flags that make WebGPU work headless
 * @property {string} found one line about where it came from
 */

const names = [
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
  "microsoft-edge-stable",
];
const wellKnown = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** SwiftShader's own clearing of workgroup memory is compiled word by word, 2 s for 16 KiB; Dawn's is a loop. */
const softwareDawn = "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension";

/**
 * Flags for a machine without a GPU: SwiftShader for compute and for a canvas that shows in a screenshot. Pages are painted
 * by the CPU, as Chromium does without a GPU unless a distribution asks for more: a screenshot takes a third of the time.
 */
const softwareFlags = [
  "--disable-gpu-rasterization",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--use-webgpu-adapter=swiftshader",
  `--${softwareDawn}`,
];

const commonFlags = [
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string | undefined} */
function installed() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of names) {
    for (const folder of folders) if (isExecutable(join(folder, name))) return join(folder, name);
  }
  const known = platform() === "darwin" ? wellKnown.darwin : platform() === "win32" ? wellKnown.win32 : [];
  return known.find((path) => existsSync(path));
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}

/** @returns {string} what was done */
function install() {
  if (isDebian() && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["update", "-q"], { stdio: "ignore", env });
    execFileSync("apt-get", ["install", "-y", "-q", "chromium"], { stdio: "ignore", env });
    return "installed Debian's chromium";
  }
  const done = spawnSync("npx", ["playwright", "install", "chromium"], {
    stdio: "inherit",
    shell: platform() === "win32",
  });
  if (done.status !== 0) {
    throw new Error(
      "No browser was found and none could be installed. Install Chrome, Chromium or Edge, or set CHROMIUM to one's path.",
    );
  }
  return "installed Playwright's chromium";
}

/** True where an NVIDIA, AMD or Intel GPU can be expected, so that the software flags stay away. */
export function hasHardwareGpu() {
  if (process.env.CRINKLE_GPU) return process.env.CRINKLE_GPU === "hardware";
  return platform() !== "linux" || existsSync("/dev/dri/renderD128") || existsSync("/dev/nvidia0");
}

/** The flags for this machine; the variable CHROMIUM_FLAGS, where set, replaces them. */
export function browserFlags() {
  if (process.env.CHROMIUM_FLAGS) return process.env.CHROMIUM_FLAGS.split(/\s+/).filter(Boolean);
  if (!hasHardwareGpu()) return [...commonFlags, ...softwareFlags];
  return platform() === "linux"
    ? [...commonFlags, "--ignore-gpu-blocklist", "--enable-features=Vulkan", "--use-angle=vulkan"]
    : commonFlags;
}

/**
 * The variable CHROMIUM, an installed Chrome, Chromium or Edge, Playwright's own; otherwise one is installed.
 * @returns {Promise<Browser>}
 */
export async function findBrowser() {
  const flags = browserFlags();
  const given = process.env.CHROMIUM;
  if (given) {
    if (!isExecutable(given))
      throw new Error(`CHROMIUM is ${given}, which cannot be run. Set it to a browser's path, or unset it.`);
    return { executablePath: given, flags, found: `browser: ${given} (from CHROMIUM)` };
  }
  const path = installed();
  if (path) return { executablePath: path, flags, found: `browser: ${path}` };
  if (existsSync(chromium.executablePath())) {
    return {
      executablePath: chromium.executablePath(),
      flags,
      found: `browser: ${chromium.executablePath()} (Playwright's)`,
    };
  }
  const did = install();
  const now = installed() ?? chromium.executablePath();
  return { executablePath: now, flags, found: `browser: ${did}, ${now}` };
}

/**
 * Environment that gives Dawn in Node the Vulkan driver on the CPU that Chromium brings along; undefined where it
 * brings none.
 * @param {string} executablePath @returns {Record<string, string> | undefined}
 */
export function softwareVulkan(executablePath) {
  const folders = [dirname(realpathSync(executablePath)), "/usr/lib/chromium", "/opt/google/chrome"];
  const folder = folders.find((path) => existsSync(join(path, "vk_swiftshader_icd.json")));
  if (!folder) return undefined;
  const libraries = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  return {
    VK_ICD_FILENAMES: join(folder, "vk_swiftshader_icd.json"),
    LD_LIBRARY_PATH: libraries,
    CRINKLE_DAWN: softwareDawn,
  };
}
