import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import type { BrowserSettings } from "./tab.ts";

/** Ends a child process; one that has ended is no error. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Starts a virtual screen, because MiniBrowser needs one; it chooses a free number itself. */
export async function startDisplay(
  program: string,
): Promise<{ name: string; server: ChildProcess }> {
  // By default the screen starts anew without its last window, and refuses a browser meanwhile.
  const screen = ["-screen", "0", "1400x1100x24", "-nolisten", "tcp", "-noreset"];
  const server = spawn(program, ["-displayfd", "3", ...screen], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const pipe = server.stdio[3];
  if (!pipe) throw new Error("No pipe to the virtual screen");
  const [chunk] = z.tuple([z.instanceof(Buffer)]).parse(await once(pipe, "data"));
  return { name: `:${chunk.toString().trim()}`, server };
}

/** The toolbar of MiniBrowser is wider than a small phone unless it is emptied. */
const windowStyles = "* { border: 0; font-size: 1px; margin: 0; min-width: 0; padding: 0; }";
const desktopSettings = "[Settings]\ngtk-enable-animations=false\n";
const compiledLocale = "/usr/lib/locale/C.utf8";

/**
 * The home directory and environment of a desktop: MiniBrowser takes language, colour scheme and
 * reduced motion from there. The C library knows few locales; only the name of this one matters.
 */
export async function makeDesktop(display: string, { language, device }: BrowserSettings) {
  const home = await mkdtemp(join(tmpdir(), "webkit-"));
  const locale = language === "he" ? "he_IL.UTF-8" : "en_US.UTF-8";
  const gtk = join(home, ".config", "gtk-3.0");
  await mkdir(gtk, { recursive: true });
  await writeFile(join(gtk, "gtk.css"), windowStyles);
  await writeFile(join(gtk, "settings.ini"), desktopSettings);
  await symlink(compiledLocale, join(home, locale));
  const environment = {
    DISPLAY: display,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LOCPATH: home,
    LANG: locale,
    GTK_THEME: device === "dark" ? "Adwaita:dark" : "Adwaita",
    GTK_A11Y: "none",
    NO_AT_BRIDGE: "1",
    GSETTINGS_BACKEND: "memory",
    // The pages have no media; looking for codecs takes seconds.
    GST_PLUGIN_SYSTEM_PATH: home,
  };
  return { home, environment };
}
