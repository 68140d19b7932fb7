import { existsSync, globSync } from "node:fs";

const first = (...patterns: readonly string[]): string | undefined =>
  patterns.flatMap((pattern) => globSync(pattern)).find(existsSync);

/** The path of Firefox, where it is installed. */
export const findFirefox = (): string | undefined =>
  first(
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
  );

export type WebkitPrograms = { driver: string; browser: string; display: string };

/** The paths of WebKitGTK's driver and browser and of a virtual screen, where all are installed. */
export function findWebkit(): WebkitPrograms | undefined {
  const driver = first("/usr/bin/WebKitWebDriver");
  const display = first("/usr/bin/Xvfb");
  const browser = first("/usr/{lib,libexec}/{,*/}webkit2gtk-4.1/MiniBrowser");
  if (driver === undefined || display === undefined || browser === undefined) return undefined;
  return { driver, browser, display };
}

const engines = {
  firefox: { find: findFirefox, install: "apt-get install firefox-esr" },
  webkit: { find: findWebkit, install: "apt-get install webkit2gtk-driver xvfb" },
} as const;

export type Engine = keyof typeof engines;

/** The engines that can run here, and for each other one a sentence how to install it. */
export function surveyEngines(): { installed: Engine[]; missing: string[] } {
  const installed: Engine[] = [];
  const missing: string[] = [];
  for (const engine of ["firefox", "webkit"] as const) {
    const { find, install } = engines[engine];
    if (find() !== undefined) installed.push(engine);
    else missing.push(`NOT TESTED: ${engine} is not installed. On Debian: ${install}`);
  }
  return { installed, missing };
}
