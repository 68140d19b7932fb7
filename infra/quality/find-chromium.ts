import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { LaunchOptions } from "playwright-core";

/** What playwright-core needs to launch a browser: `chromium.launch(findChromium())`. */
type Chromium = Required<Pick<LaunchOptions, "executablePath" | "args" | "env" | "headless">>;

/** Whole browsers that a machine may have, in the order in which they are tried. */
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Quiet, and the same on every machine; the sandbox is not available to root in containers. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-dev-shm-usage",
  "--disable-sync",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--no-default-browser-check",
];

/** The packed browser is the headless shell alone, which starts only with these. */
const PACKED_ARGS = ["--headless=shell", "--disable-setuid-sandbox"];

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

const UNPACK = `
const { default: chromium, inflate } = await import('@sparticuz/chromium');
await chromium.executablePath();
await inflate(process.argv[1]);
`;

/**
 * Unpacks the browser that ships inside an npm package, once per version, beside npm's packages.
 * It is unpacked aside and moved into place whole, so that two runs at once cannot see half a browser.
 */
function unpackChromium(): string {
  const home = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");
  const manifest = readFileSync(join(home, "package.json"), "utf8");
  const [, version = ""] = /"version": "([^"]+)"/u.exec(manifest) ?? [];
  const target = join(cache, `chromium-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(`${target}-`);
  const libraries = join(home, "bin/al2023.tar.br");
  execFileSync(process.execPath, ["--input-type=module", "-e", UNPACK, libraries], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: aside },
  });
  try {
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function packedChromium(): Chromium {
  const folder = unpackChromium();
  const own = process.env["LD_LIBRARY_PATH"];
  // Behind the system's own libraries: a bare server lacks nss and its kin, a desktop has newer ones.
  const libraries = [own, join(folder, "al2023/lib")].filter(Boolean).join(":");
  return {
    executablePath: join(folder, "chromium"),
    args: [...ARGS, ...PACKED_ARGS],
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    headless: true,
  };
}

/**
 * A Chromium that starts here. The headless one from npm comes first where it runs (64-bit Intel
 * Linux): the same version on every machine, and pages open in two thirds of the time.
 * `CHROMIUM_PATH` names another, or asks for `npm` or `installed`.
 * @throws when the requested browser does not exist, or no browser can be found
 */
export function findChromium(asked = process.env["CHROMIUM_PATH"] ?? ""): Chromium {
  const canUnpack = process.platform === "linux" && process.arch === "x64";
  if (asked === "npm" || (asked === "" && canUnpack)) return packedChromium();
  const path = asked === "" || asked === "installed" ? INSTALLED.find(existsSync) : asked;
  if (path === undefined)
    throw new Error("No Chromium found. Install Chrome, or set CHROMIUM_PATH.");
  if (!existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`);
  return { executablePath: path, args: ARGS, env: { ...process.env }, headless: true };
}
